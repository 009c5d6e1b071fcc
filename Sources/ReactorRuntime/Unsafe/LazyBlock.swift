/// The address of a value on the heap that is made when it is first needed, and given back early.
///
/// A reactor has at most two such blocks, `details` and `parts`. An object would do the same, but
/// one of a generic class is released by code that has to look up each type; a block is given back
/// by its ``Disposer``, or where the types are known.
///
/// **Why it is sound**: its guard is that of the field in which it is kept: the reactor's isolation
/// for `details`; for `parts`, which is made once, what each field of it names. It is freed once,
/// where it is taken out of that field, or where another one is found there. The address does not
/// change in between, so that what is read or written through it is not moved, nor copied as a
/// whole.
///
/// All of it is inlined: where the type is not known when this is compiled, each call would look it
/// up, some 24,000 instructions more at a reactor's end.
///
/// **What would break it**: a block that is used, or kept, after ``free()``; a value that does not
/// begin with its disposer, where that frees it.
@usableFromInline
package struct LazyBlock<Value: ~Copyable> {
  @usableFromInline let address: UnsafeMutablePointer<Value>

  /// A new block.
  @inlinable @inline(__always)
  package init(_ value: consuming Value) {
    address = .allocate(capacity: 1)
    address.initialize(to: value)
  }

  /// The block at an address that has lost its type.
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

  /// Destroys the value, and gives the memory back.
  @inlinable @inline(__always)
  package func free() {
    address.deinitialize(count: 1)
    address.deallocate()
  }
}

/// Destroys what stands behind a pointer whose type is not known, and gives its memory back.
///
/// A block that is made lazily stands behind a raw pointer, and an object of a generic class would
/// be released by code that looks its types up. So the block begins with one of these, made where
/// the types are known.
///
/// **Why it is sound**: the pointer is to a block whose first field is its disposer, which both
/// kinds of block state (`AnyThreadParts`, `IsolatedExtras`); fields stand in the order in which
/// they are declared. It is disposed of once, by the owner's `deinit` or where it is taken out.
///
/// **What would break it**: another field before the disposer; a pointer kept beyond the owner.
@usableFromInline
package struct Disposer: Sendable {
  @usableFromInline let dispose: @Sendable (UnsafeMutableRawPointer) -> Void

  @inlinable
  package init(_ dispose: @escaping @Sendable (UnsafeMutableRawPointer) -> Void) {
    self.dispose = dispose
  }

  /// The same for all blocks of a type: where the type is not known when this is compiled, each
  /// closure would have a context of its own.
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

  /// The disposers of each type, made for the first block of it.
  private static let known = Guarded([ObjectIdentifier: Disposer]())

  /// - Parameter pointer: To a block that begins with its disposer.
  @inlinable
  package static func dispose(_ pointer: UnsafeMutableRawPointer) {
    pointer.load(as: Disposer.self).dispose(pointer)
  }
}
