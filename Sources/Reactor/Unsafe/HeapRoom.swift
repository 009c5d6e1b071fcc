/// Room for one value on the heap, however large it is.
///
/// The value is put in once, and copied from room to room without coming past the stack, which a
/// field of a class would not promise.
///
/// Sound because whoever has the room treats it as a value: it is only written by the one who has
/// the only reference to it, see ``OnHeap``. What would break it is a write through a reference
/// that somebody else has too.
@usableFromInline
final class HeapRoom<Value> {
  @usableFromInline let place: UnsafeMutablePointer<Value>

  @inlinable
  init(_ value: consuming Value) {
    place = .allocate(capacity: 1)
    place.initialize(to: value)
  }

  @inlinable
  init(copying other: HeapRoom) {
    place = .allocate(capacity: 1)
    place.initialize(from: other.place, count: 1)
  }

  @inlinable
  deinit {
    place.deinitialize(count: 1)
    place.deallocate()
  }
}
