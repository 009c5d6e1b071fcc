/// The address of a heap value that is allocated when first needed, and freed early.
///
/// A reactor has at most two such blocks, `details` and `concurrentState`. An object would do the
/// same, but an object of a generic class is released by code that has to look up each type. A
/// block is freed by its ``Disposer``, or where the types are known.
///
/// **Why it is sound**: its guard is that of the field in which it is stored: the reactor's
/// isolation for `details`; for `concurrentState`, which is made once, the guard that each of its
/// fields names. It is freed once, where it is taken out of that field, or where another one is
/// found there. The address does not change in between, so what is read or written through it is
/// neither moved nor copied as a whole.
///
/// All of it is inlined: where the type is not known at compile time, each call would look it up,
/// which costs about 24,000 more instructions at a reactor's end.
///
/// **What would break it**: a block that is used, or kept, after ``free()``; a value that does not
/// begin with its disposer, where the disposer frees it.
@usableFromInline
package struct LazyBlock<Value: ~Copyable> {
  @usableFromInline let address: UnsafeMutablePointer<Value>

  /// Allocates a new block.
  @inlinable @inline(__always)
  package init(_ value: consuming Value) {
    address = .allocate(capacity: 1)
    address.initialize(to: value)
  }

  /// The block at an untyped address.
  @inlinable @inline(__always)
  package init(at raw: UnsafeMutableRawPointer) {
    address = raw.assumingMemoryBound(to: Value.self)
  }

  @inlinable package var raw: UnsafeMutableRawPointer {
    @inline(__always) get { UnsafeMutableRawPointer(address) }
  }

  /// The value, in place.
  @inlinable package var pointee: Value {
    @inline(__always) unsafeAddress { UnsafePointer(address) }
    @inline(__always) nonmutating unsafeMutableAddress { address }
  }

  /// Destroys the value, and frees the memory.
  @inlinable @inline(__always)
  package func free() {
    address.deinitialize(count: 1)
    address.deallocate()
  }
}

/// Destroys the value behind an untyped pointer, and frees its memory.
///
/// A lazily made block is stored as a raw pointer, since an object of a generic class would be
/// released by code that looks its types up. So the block begins with a disposer that is made where
/// the types are known.
///
/// **Why it is sound**: the pointer is to a block whose first field is its disposer, as both kinds
/// of block state (`ConcurrentState`, `IsolatedDetails`); fields are laid out in the order in which
/// they are declared. The block is disposed of once, by the owner's `deinit` or where it is taken
/// out.
///
/// **What would break it**: another field before the disposer; a pointer kept beyond the owner.
@usableFromInline
package struct Disposer: Sendable {
  @usableFromInline let dispose: @Sendable (UnsafeMutableRawPointer) -> Void

  @inlinable
  package init(_ dispose: @escaping @Sendable (UnsafeMutableRawPointer) -> Void) {
    self.dispose = dispose
  }

  /// One disposer for all blocks of a type.
  ///
  /// Otherwise, where the type is not known at compile time, each closure would have its own
  /// context.
  @inlinable
  package static func shared<Owner>(
    of type: Owner.Type, _ dispose: @escaping @Sendable (UnsafeMutableRawPointer) -> Void
  ) -> Disposer { shared(ObjectIdentifier(type), Disposer(dispose)) }

  @usableFromInline
  static func shared(_ type: ObjectIdentifier, _ first: Disposer) -> Disposer {
    known.withLock { known in
      if let disposer = known[type] { return disposer }
      known[type] = first
      return first
    }
  }

  /// The disposer of each type, made for the first block of that type.
  private static let known = Guarded([ObjectIdentifier: Disposer]())

  /// - Parameter pointer: A pointer to a block that begins with its disposer.
  @inlinable
  package static func dispose(_ pointer: UnsafeMutableRawPointer) {
    pointer.load(as: Disposer.self).dispose(pointer)
  }
}
