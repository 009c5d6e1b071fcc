import Foundation

/// Looks whether SQLite's write-ahead log is damaged, before SQLite reads it.
///
/// SQLite takes a log up to the first frame whose checksum is wrong. That is right for what a crash
/// has torn. But where a byte has changed in the middle, all later commits are gone without a word,
/// though they were acknowledged, and soon they are written over.
///
/// They can be told apart. A frame's checksum goes on from that of the frame before, as it stands
/// there; so what is behind a bad frame can still be checked. And each commit is flushed before the
/// next one is written (`synchronous = FULL`), so a crash tears the last one at most: with anything
/// whole behind the end of the commit that the bad frame is of, the log is damaged.
///
/// The head is flushed before the first frame is written, so with anything behind it a head that is
/// not whole is damaged as well. And the log's index, which a process that was killed leaves beside
/// it, is written after the frames have been flushed: each frame that it counts has been whole.
///
/// Without an index, what has changed in the last commit of all cannot be told from what a crash
/// has torn, nor can it where the frame that ends the commit before is part of what has changed.
///
/// The format is that of SQLite's file format document, section 4: numbers are big-endian, and the
/// words that are summed are so or the other way round, as the first number says.
struct LogCheck {
  struct Damaged: Error, CustomStringConvertible {
    /// From 1 on; 0 is the log's head.
    let frame: Int

    var description: String {
      "its write-ahead log is damaged at \(frame == 0 ? "its head" : "frame \(frame)"), and later "
        + "commits are behind it; it has been left as it is"
    }
  }

  /// Reads so many bytes of the log from a place on; fewer where it ends.
  typealias Read = (_ place: Int, _ count: Int) throws -> [UInt8]

  /// - Parameters:
  ///   - path: Where the main file is.
  ///   - open: Opens the log at a path; `nil` where there is none.
  /// - Throws: ``Damaged``; nothing has been written then.
  static func check(_ path: String, opening open: (String) -> Read? = file) throws {
    for _ in 1...8 {
      guard let log = LogCheck(path, opening: open) else { return }
      guard let damage = try log.damage() else { return }
      // Another process may have been writing that frame when it was read. It was done with it
      // before it wrote what stands behind: read once more, the frame is what it will stay.
      guard try damage.frame == 0 || log.readFrame(damage.frame) == damage.bytes else { continue }
      // It may have begun the log anew as well, and what was read is of two logs.
      guard let now = LogCheck(path, opening: open), now.head == log.head else { continue }
      throw Damaged(frame: damage.frame)
    }
  }

  // MARK: Reading

  /// Of two words, each of which counts in the other.
  private typealias Sum = (UInt32, UInt32)

  private let read: Read
  private let head: [UInt8]
  private let pageSize: Int
  private let isHeadWhole: Bool
  private let isBigEndian: Bool
  /// How many frames the index counts.
  private let indexed: Int

  private static let headSize = 32
  private static let frameHeadSize = 24

  /// `nil` where there is no log, or nothing in it.
  private init?(_ path: String, opening open: (String) -> Read?) {
    guard let read = open(path + "-wal"), let head = try? read(0, Self.headSize),
      head.count == Self.headSize
    else { return nil }
    self.read = read
    self.head = head
    let order = self.head[3] & 1 == 1
    let sum = Self.sum(self.head[..<24], after: (0, 0), isBigEndian: order)
    isHeadWhole =
      sum == (Self.number(self.head, at: 24), Self.number(self.head, at: 28))
      && Self.number(self.head, at: 0) | 1 == 0x377f_0683
    isBigEndian = order
    pageSize = isHeadWhole ? Int(Self.number(self.head, at: 8)) : 0
    indexed = open(path + "-shm").map { Self.frames(inIndex: $0, of: head) } ?? 0
    guard !isHeadWhole || (512...65_536).contains(pageSize) else { return nil }
  }

  /// How many frames an index counts, if it is that of the log with this head.
  ///
  /// It begins with two copies of the same 48 bytes, in the machine's own order.
  private static func frames(inIndex read: Read, of head: [UInt8]) -> Int {
    guard let bytes = try? read(0, 96), bytes.count == 96, bytes[..<48] == bytes[48...],
      bytes[12] == 1, Array(bytes[32..<40]) == Array(head[16..<24])
    else { return 0 }
    func number(at index: Int) -> UInt32 {
      bytes.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: index, as: UInt32.self) }
    }
    let sum = sum(bytes[..<40], after: (0, 0), isBigEndian: 1.bigEndian == 1)
    guard number(at: 0) == 3_007_000, sum == (number(at: 40), number(at: 44)) else { return 0 }
    return Int(number(at: 16))
  }

  private static func file(_ path: String) -> Read? {
    guard let file = FileHandle(forReadingAtPath: path) else { return nil }
    return { place, count in
      try file.seek(toOffset: UInt64(place))
      return [UInt8](try file.read(upToCount: count) ?? Data())
    }
  }

  /// The frame that is not what it was, and what was read of it.
  private func damage() throws -> (frame: Int, bytes: [UInt8])? {
    guard isHeadWhole else { return try read(Self.headSize, 1).isEmpty ? nil : (0, head) }
    var before: Sum = (Self.number(head, at: 24), Self.number(head, at: 28))
    var number = 0
    var bad: (frame: Int, bytes: [UInt8])?
    // Whether the commit is over that the bad frame is of.
    var isOver = false
    while true {
      let frame = try readFrame(number + 1)
      number += 1
      guard frame.count == frameSize else {
        return number <= indexed ? bad ?? (number, frame) : nil
      }
      let stored: Sum = (Self.number(frame, at: 16), Self.number(frame, at: 20))
      let isOurs = frame[8..<16] == head[16..<24]
      let isWhole = isOurs && sum(of: frame, after: before) == stored
      if isWhole, let bad, isOver { return bad }
      if !isWhole, bad == nil { bad = (number, frame) }
      if let bad, bad.frame <= indexed { return bad }
      if bad != nil, isOurs, Self.number(frame, at: 4) != 0 { isOver = true }
      before = stored
    }
  }

  private var frameSize: Int { Self.frameHeadSize + pageSize }

  private func readFrame(_ number: Int) throws -> [UInt8] {
    try read(Self.headSize + (number - 1) * frameSize, frameSize)
  }

  private func sum(of frame: [UInt8], after before: Sum) -> Sum {
    let sum = Self.sum(frame[..<8], after: before, isBigEndian: isBigEndian)
    return Self.sum(frame[Self.frameHeadSize...], after: sum, isBigEndian: isBigEndian)
  }

  // MARK: Numbers

  private static func number(_ bytes: [UInt8], at index: Int) -> UInt32 {
    bytes[index..<index + 4].reduce(0) { $0 << 8 | UInt32($1) }
  }

  private static func sum(
    _ bytes: ArraySlice<UInt8>, after before: Sum, isBigEndian: Bool
  ) -> Sum {
    var (first, second) = before
    bytes.withUnsafeBytes { bytes in
      for index in stride(from: 0, to: bytes.count - 7, by: 8) {
        let words = (
          bytes.loadUnaligned(fromByteOffset: index, as: UInt32.self),
          bytes.loadUnaligned(fromByteOffset: index + 4, as: UInt32.self)
        )
        first &+= (isBigEndian ? words.0.bigEndian : words.0.littleEndian) &+ second
        second &+= (isBigEndian ? words.1.bigEndian : words.1.littleEndian) &+ first
      }
    }
    return (first, second)
  }
}
