/// The address of a value on the heap that is made when it is first needed, and given back early.
///
/// A reactor has at most two such blocks, `details` and `parts`. An object would do the same, but
/// one of a generic class is released by code that has to look up each type; a block is given back
/// by its ``Disposer``, or where the types are known.
///
/// **Why it is sound**: its guard is that of the field in which it is kept: the reactor's isolation
/// for `details`; for `parts`, which is made once, what each field of it names. It is freed once,
/// by whoever takes it out of that field, or finds another one there. The address does not change
/// in between, so that what is read or written through it is not moved, nor copied as a whole.
///
/// All of it is inlined: where the type is not known when this is compiled, each call would look it
/// up, some 24,000 instructions more at a reactor's end.
///
/// **What would break it**: a block that is used, or kept, after ``free()``; a value that does not
/// begin with its disposer, where that frees it.
@usableFromInline
struct LazyBlock<Value: ~Copyable> {
  @usableFromInline let address: UnsafeMutablePointer<Value>

  /// A new block.
  @inlinable @inline(__always)
  init(_ value: consuming Value) {
    address = .allocate(capacity: 1)
    address.initialize(to: value)
  }

  /// The block at an address that has lost its type.
  @inlinable @inline(__always)
  init(at raw: UnsafeMutableRawPointer) { address = raw.assumingMemoryBound(to: Value.self) }

  @inlinable var raw: UnsafeMutableRawPointer {
    @inline(__always) get { UnsafeMutableRawPointer(address) }
  }

  /// The value, in place.
  @inlinable var pointee: Value {
    @inline(__always) unsafeAddress { UnsafePointer(address) }
    @inline(__always) nonmutating unsafeMutableAddress { address }
  }

  /// Destroys the value, and gives the memory back.
  @inlinable @inline(__always)
  func free() {
    address.deinitialize(count: 1)
    address.deallocate()
  }
}
