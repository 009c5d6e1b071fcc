#if canImport(Glibc)
  import Foundation
  import Glibc

  /// The functions that a suspended task returns to, innermost first, as `image+offset`, which
  /// `scripts/test` turns into names.
  ///
  /// Why it is sound: memory is read through `/proc/self/mem`, which fails where there is none, so
  /// a task that runs meanwhile gives a wrong list and no crash. What would break it: another
  /// layout of tasks in the runtime; then the list is empty or wrong. It is read for a report
  /// alone, when a test has failed already.
  enum TaskStack {
    /// Where a task of Swift 6 on a 64-bit system has the function that it goes on with, and the
    /// context of that function, which begins with its caller's context and its caller.
    private static let resumeFunction: UInt = 56
    private static let resumeContext: UInt = 64

    static func frames(of task: UnsafeCurrentTask?) -> [String] {
      let memory = open("/proc/self/mem", O_RDONLY)
      guard MemoryLayout<UnsafeCurrentTask>.size == MemoryLayout<UInt>.size, let task, memory >= 0
      else { return [] }
      defer { close(memory) }
      func word(at address: UInt) -> UInt? {
        var value: UInt = 0
        let size = MemoryLayout<UInt>.size
        return pread(memory, &value, size, Int(truncatingIfNeeded: address)) == size ? value : nil
      }
      let address = unsafeBitCast(task, to: UInt.self)
      guard let function = word(at: address + resumeFunction),
        var context = word(at: address + resumeContext)
      else { return [] }
      let images = images()
      var frames = [name(of: function, in: images)]
      while frames.count < 100, context != 0, let parent = word(at: context),
        let caller = word(at: context + 8), caller != 0
      {
        frames.append(name(of: caller, in: images))
        context = parent
      }
      return frames
    }

    /// Where files are in memory: from, to and which.
    private static func images() -> [(start: UInt, end: UInt, path: String)] {
      // Piece by piece: such a file does not say how long it is.
      guard let file = FileHandle(forReadingAtPath: "/proc/self/maps"),
        let bytes = try? file.readToEnd()
      else { return [] }
      let maps = String(decoding: bytes, as: UTF8.self)
      return maps.split(separator: "\n").compactMap { line in
        let words = line.split(separator: " ", maxSplits: 5, omittingEmptySubsequences: true)
        let ends = words[0].split(separator: "-").compactMap { UInt($0, radix: 16) }
        guard words.count == 6, ends.count == 2 else { return nil }
        let path = words[5].trimmingCharacters(in: .whitespaces)
        return path.hasPrefix("/") ? (ends[0], ends[1], path) : nil
      }
    }

    private static func name(
      of address: UInt, in images: [(start: UInt, end: UInt, path: String)]
    ) -> String {
      guard let image = images.first(where: { $0.start <= address && address < $0.end }),
        let first = images.first(where: { $0.path == image.path })
      else { return "0x\(String(address, radix: 16))" }
      return "\(image.path)+0x\(String(address - first.start, radix: 16))"
    }
  }
#else
  enum TaskStack {
    static func frames(of task: UnsafeCurrentTask?) -> [String] { [] }
  }
#endif
