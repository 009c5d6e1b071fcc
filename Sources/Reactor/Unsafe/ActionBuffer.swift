/// Actions in a row, first in, first out; no memory at all while there are none and none are
/// expected.
///
/// An array would do. But an array checks at each end whether it is uniquely referenced, which this
/// always is, and an object with an array of a generic type is released by unspecialised code,
/// which looks the type up. So this buffer knows no type: callers name the element when they append
/// or take, and must empty it before it is freed.
///
/// Guard: whoever may change it has it to itself.
@usableFromInline
struct ActionBuffer: @unchecked Sendable {
  @usableFromInline
  struct Header {
    /// How many have been taken, and how many appended, since the buffer was empty last.
    @usableFromInline var head = 0
    @usableFromInline var count = 0
    @usableFromInline var capacity: Int
    /// Whether it has been emptied and filled again.
    @usableFromInline var isReused = false

    @inlinable
    init(capacity: Int) { self.capacity = capacity }
  }

  /// A header, and the actions behind it.
  @usableFromInline var header: UnsafeMutablePointer<Header>?

  @inlinable
  init() {}

  @inlinable var count: Int { header.map { $0.pointee.count - $0.pointee.head } ?? 0 }
  @inlinable var isEmpty: Bool { count == 0 }
  /// How many came at once the last time, into memory that had been used before; else 0.
  @inlinable var countIfReused: Int {
    guard let header, header.pointee.isReused else { return 0 }
    return header.pointee.count
  }
  @inlinable var capacity: Int { header?.pointee.capacity ?? 0 }

  @inlinable
  static func actions<Action>(
    behind header: UnsafeMutablePointer<Header>, _: Action.Type = Action.self
  ) -> UnsafeMutablePointer<Action> {
    (UnsafeMutableRawPointer(header) + offset(of: Action.self)).assumingMemoryBound(to: Action.self)
  }

  @inlinable
  static func offset<Action>(of type: Action.Type) -> Int {
    let (size, alignment) = (MemoryLayout<Header>.size, MemoryLayout<Action>.alignment)
    return (size + alignment - 1) / alignment * alignment
  }

  @inlinable @inline(__always)
  mutating func append<Action>(_ action: consuming Action) {
    let header = headerWithRoom ?? grow(for: Action.self)
    (Self.actions(behind: header) + header.pointee.count).initialize(to: action)
    header.pointee.count &+= 1
  }

  @inlinable var headerWithRoom: UnsafeMutablePointer<Header>? {
    @inline(__always) get {
      guard let header, header.pointee.count < header.pointee.capacity else { return nil }
      return header
    }
  }

  /// Makes room for at least one more.
  @inlinable @inline(never)
  mutating func grow<Action>(for type: Action.Type) -> UnsafeMutablePointer<Header> {
    let (offset, count) = (Self.offset(of: type), count)
    // The first ones fit into a line of the cache, as a rule.
    let capacity = max(4, 2 * count)
    let memory = UnsafeMutableRawPointer.allocate(
      byteCount: offset + capacity * MemoryLayout<Action>.stride,
      alignment: max(MemoryLayout<Header>.alignment, MemoryLayout<Action>.alignment))
    let grown = memory.bindMemory(to: Header.self, capacity: 1)
    grown.initialize(to: Header(capacity: capacity))
    (memory + offset).bindMemory(to: Action.self, capacity: capacity)
    if let header {
      Self.actions(behind: grown, type)
        .moveInitialize(
          from: Self.actions(behind: header, type) + header.pointee.head, count: count)
      grown.pointee.count = count
      grown.pointee.isReused = header.pointee.isReused
      UnsafeMutableRawPointer(header).deallocate()
    }
    header = grown
    return grown
  }

  /// The first one, moved out.
  @inlinable
  mutating func popFirst<Action>(_ type: Action.Type) -> Action? {
    guard let header, header.pointee.head < header.pointee.count else { return nil }
    let action = (Self.actions(behind: header, type) + header.pointee.head).move()
    header.pointee.head += 1
    return action
  }

  /// Gets ready for new ones; everything has been taken.
  @inlinable
  mutating func rewind() {
    guard let header else { return }
    (header.pointee.head, header.pointee.count) = (0, 0)
    header.pointee.isReused = true
  }

  /// All of them, moved out; the memory is given back.
  @inlinable
  mutating func takeAll<Action>(_ type: Action.Type) -> [Action] {
    var actions: [Action] = []
    if !isEmpty { actions.reserveCapacity(count) }
    while let action = popFirst(type) { actions.append(action) }
    free()
    return actions
  }

  /// All of it, for somebody else; here nothing is left.
  @inlinable
  mutating func taken() -> ActionBuffer {
    defer { header = nil }
    return self
  }

  /// Gives the memory back; everything has been taken.
  @inlinable
  mutating func free() {
    if let header = header.take() { UnsafeMutableRawPointer(header).deallocate() }
  }
}
