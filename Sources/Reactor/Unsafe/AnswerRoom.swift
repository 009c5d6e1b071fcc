/// Room for one answer, whose type only those know who put it in and take it out.
///
/// Small values lie in here; for others there is memory of their own.
///
/// **Why it is sound**: a room is made for the type of a reply, and only that reply puts a value
/// in, and only its asker takes it out: once each, under a lock that both take. It does not move
/// in between: it is a field of an object, which is reached without a copy, as it has no
/// observers and its exclusivity is not checked; and what lies in it may be moved, as
/// ``fits(_:)`` sees to.
///
/// **What would break it**: another type taken than was put in; a value put in that nobody takes,
/// which would leak.
@usableFromInline
struct AnswerRoom: Sendable {
  @usableFromInline typealias Words = (UInt, UInt, UInt)

  /// Guard: see above.
  @usableFromInline var words: Words = (0, 0, 0)

  @inlinable
  init() {}

  /// Whether values of a type lie in the room itself.
  @inlinable
  static func fits<Value>(_: Value.Type) -> Bool {
    MemoryLayout<Value>.size <= MemoryLayout<Words>.size
      && MemoryLayout<Value>.alignment <= MemoryLayout<Words>.alignment
      && _isBitwiseTakable(Value.self)
  }

  @inlinable
  mutating func put<Value>(_ value: Value) {
    if Self.fits(Value.self) {
      withUnsafeMutableBytes(of: &words) { bytes in
        _ = bytes.baseAddress.unsafelyUnwrapped.initializeMemory(as: Value.self, to: value)
      }
    } else {
      let memory = UnsafeMutablePointer<Value>.allocate(capacity: 1)
      memory.initialize(to: value)
      words.0 = UInt(bitPattern: memory)
    }
  }

  @inlinable
  mutating func take<Value>(_: Value.Type) -> Value {
    guard !Self.fits(Value.self) else {
      return withUnsafeMutableBytes(of: &words) { bytes in
        bytes.baseAddress.unsafelyUnwrapped.assumingMemoryBound(to: Value.self).move()
      }
    }
    guard let memory = UnsafeMutablePointer<Value>(bitPattern: words.0) else {
      preconditionFailure("nothing has been put into this room")
    }
    defer { memory.deallocate() }
    return memory.move()
  }
}
