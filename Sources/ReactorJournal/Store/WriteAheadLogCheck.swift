import Foundation

/// Checks SQLite's write-ahead log for damage, before SQLite reads it.
///
/// SQLite reads a log up to the first frame with a wrong checksum. That is correct after a crash
/// that interrupted a write. But if a byte has changed in the middle, all later commits are
/// silently ignored, though they were acknowledged, and soon they are overwritten.
///
/// The two cases can be distinguished. The checksum of a frame continues the stored checksum of the
/// frame before, so frames after a bad one can still be checked. Each commit is flushed before the
/// next one is written (`synchronous = FULL`), so a crash can only damage the last commit. If there
/// is a valid frame after the end of the commit with the bad frame, the log is damaged.
///
/// The header is flushed before the first frame is written, so an invalid header with anything
/// after it is also damage. A killed process leaves the log's index beside it. The index is written
/// after the frames have been flushed, so every frame that it counts was valid once.
///
/// Without an index, a change in the last commit cannot be distinguished from an interrupted write.
/// The same is true if the frame that ends the commit before is also changed.
///
/// The format is described in section 4 of SQLite's document on its file format. Numbers are
/// big-endian. The words that are summed are big-endian or little-endian, as the first number says.
struct WriteAheadLogCheck {
  struct Damaged: Error, CustomStringConvertible {
    /// The number of the frame from 1 on; 0 for the header.
    let frame: Int

    var description: String {
      "its write-ahead log is damaged at \(frame == 0 ? "its head" : "frame \(frame)"), and later "
        + "commits are behind it; it has been left as it is"
    }
  }

  /// Reads a number of bytes at an offset of the log; fewer at the end.
  typealias Read = (_ place: Int, _ count: Int) throws -> [UInt8]

  /// Checks the log of a database.
  ///
  /// - Parameters:
  ///   - path: The path of the main file.
  ///   - open: Opens the log at a path; returns `nil` if there is none.
  /// - Throws: ``Damaged``; nothing has been written then.
  static func check(_ path: String, opening open: (String) -> Read? = file) throws {
    for _ in 1...8 {
      guard let log = WriteAheadLogCheck(path, opening: open) else { return }
      guard let damage = try log.damage() else { return }
      // Another process may have been writing the frame while it was read. It finished that frame
      // before it wrote the next, so reading the frame again gives its final bytes.
      guard try damage.frame == 0 || log.readFrame(damage.frame) == damage.bytes else { continue }
      // Another process may have restarted the log, so that the bytes are from two logs.
      guard let now = WriteAheadLogCheck(path, opening: open), now.head == log.head else {
        continue
      }
      throw Damaged(frame: damage.frame)
    }
  }

  // MARK: Reading

  /// Two words, each of which is added to the other.
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

  /// Reads the header; `nil` if there is no log, or if it is empty.
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

  /// Returns how many frames the index counts, if it belongs to the log with this header; otherwise
  /// 0.
  ///
  /// The index begins with two copies of the same 48 bytes, in the machine's byte order.
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

  /// Returns the first damaged frame and its bytes; `nil` if there is no damage.
  private func damage() throws -> (frame: Int, bytes: [UInt8])? {
    guard isHeadWhole else { return try read(Self.headSize, 1).isEmpty ? nil : (0, head) }
    var before: Sum = (Self.number(head, at: 24), Self.number(head, at: 28))
    var number = 0
    var bad: (frame: Int, bytes: [UInt8])?
    // Whether the commit with the bad frame has ended.
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
