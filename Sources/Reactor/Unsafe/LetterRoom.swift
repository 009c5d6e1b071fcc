/// Memory for letters of different types, one behind the other; it knows no type and frees nothing.
///
/// Whoever puts a letter says what it is, and whoever takes it out says the same: a group's entry,
/// which does both. The memory is a group's for one `send`, on the stack where it is small.
///
/// Sound as long as a letter that was put is moved out once; what would break it is an entry that
/// reads with another type than it wrote, and none has two.
@usableFromInline
enum LetterRoom {
  /// The alignment of every place.
  @inlinable static var alignment: Int { 16 }

  @inlinable
  static func size<Letter>(of type: Letter.Type) -> Int {
    precondition(MemoryLayout<Letter>.alignment <= alignment, "\(type) needs a wider place")
    return (MemoryLayout<Letter>.size + alignment - 1) / alignment * alignment
  }

  @inlinable
  static func put<Letter>(_ letter: consuming Letter, at place: UnsafeMutableRawPointer) {
    place.initializeMemory(as: Letter.self, to: letter)
  }

  @inlinable
  static func letter<Letter>(
    at place: UnsafeMutableRawPointer, of type: Letter.Type
  ) -> UnsafeMutablePointer<Letter> {
    place.assumingMemoryBound(to: type)
  }
}
