import ReactorRuntime

#if DEBUG && os(Linux)
  import Reactor

  #if canImport(Glibc)
    import Glibc
  #elseif canImport(Musl)
    import Musl
  #endif

  /// The functions with certain names that an executable or a library contains, read from its
  /// symbol table.
  ///
  /// Used by ``NearMisses`` only, in debug builds, once for each file. If the file has no symbol
  /// table (it was stripped), or none that can be read, there are no functions, and no error.
  struct ImageSymbols: Sendable {
    /// The searched names, as they are written in a mangled name: the length, then the name.
    private static let needles = [
      "4lane", "9transform", "6mutate", "6report", "7recover", "9recovered", "11isTransient",
    ]

    /// Mangled names, sorted.
    private let names: [String]

    /// The names that begin with a prefix.
    func names(withPrefix prefix: String) -> ArraySlice<String> {
      var (low, high) = (0, names.count)
      while low < high {
        let middle = (low + high) / 2
        if names[middle] < prefix { low = middle + 1 } else { high = middle }
      }
      return names[low...].prefix { $0.hasPrefix(prefix) }
    }

    func hasName(where isIt: (String) -> Bool) -> Bool { names.contains(where: isIt) }

    // MARK: Files

    /// The files read so far, by path.
    private static let known = Guarded<[String: ImageSymbols]>([:])

    /// The symbols of the file that contains a type.
    static func of(_ type: Any.Type) -> ImageSymbols? {
      let address = UInt(bitPattern: unsafeBitCast(type, to: UnsafeRawPointer.self))
      // The metadata of a generic type was created at run time, and belongs to no file: most likely
      // the type is the program's.
      let path = path(at: address) ?? "/proc/self/exe"
      return known.withLock { known in
        if let symbols = known[path] { return symbols }
        let symbols = ImageSymbols(path: path)
        known[path] = symbols ?? ImageSymbols(names: [])
        return symbols
      }
    }

    /// The file that an address of this process belongs to, by the system's list of mappings.
    private static func path(at address: UInt) -> String? {
      guard let list = fopen("/proc/self/maps", "re") else { return nil }
      defer { fclose(list) }
      var line: UnsafeMutablePointer<CChar>?
      var capacity = 0
      defer { free(line) }
      while getline(&line, &capacity, list) > 0, let line {
        // "start-end rights offset device inode   path"
        var rest: UnsafeMutablePointer<CChar>?
        let start = strtoul(line, &rest, 16)
        guard let dash = rest, address >= start, address < strtoul(dash + 1, nil, 16) else {
          continue
        }
        guard let path = strchr(line, 0x2f) else { return nil }
        return String(cString: path).split(separator: "\n").first.map(String.init)
      }
      return nil
    }

    private init(names: [String]) { self.names = names }

    private init?(path: String) {
      let file = open(path, O_RDONLY | O_CLOEXEC)
      guard file >= 0 else { return nil }
      defer { close(file) }
      var status = stat()
      guard fstat(file, &status) == 0, status.st_size > 64 else { return nil }
      let size = Int(status.st_size)
      guard let start = mmap(nil, size, PROT_READ, MAP_PRIVATE, file, 0), start != MAP_FAILED else {
        return nil
      }
      defer { munmap(start, size) }
      guard let table = Self.stringTable(UnsafeRawBufferPointer(start: start, count: size)) else {
        return nil
      }
      names = Self.names(in: table)
    }

    /// The string table that belongs to the symbol table of a 64-bit ELF file in this machine's
    /// byte order.
    private static func stringTable(_ file: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer? {
      func number<N: FixedWidthInteger>(_ offset: Int, _: N.Type) -> Int? {
        guard offset >= 0, offset + MemoryLayout<N>.size <= file.count else { return nil }
        return Int(exactly: file.loadUnaligned(fromByteOffset: offset, as: N.self))
      }
      guard file.starts(with: [0x7f, 0x45, 0x4c, 0x46, 2]), let sections = number(40, UInt64.self),
        let size = number(58, UInt16.self), let count = number(60, UInt16.self),
        sections <= file.count
      else { return nil }
      let isSymbolTable = 2
      for index in 0..<count where number(sections + index * size + 4, UInt32.self) == isSymbolTable
      {
        guard let link = number(sections + index * size + 40, UInt32.self),
          let offset = number(sections + link * size + 24, UInt64.self),
          let length = number(sections + link * size + 32, UInt64.self),
          offset <= file.count, length <= file.count - offset
        else { return nil }
        return UnsafeRawBufferPointer(rebasing: file[offset..<offset + length])
      }
      return nil
    }

    private typealias Find =
      @convention(c) (
        UnsafeRawPointer, Int, UnsafeRawPointer, Int
      ) -> UnsafeRawPointer?

    /// The function of the C library, whose header declares it only if extensions are enabled.
    private static let find = dlsym(nil, "memmem").map { unsafeBitCast($0, to: Find.self) }

    /// The mangled names of functions that contain a searched name.
    private static func names(in table: UnsafeRawBufferPointer) -> [String] {
      // The table ends with a zero, so every name ends there at the latest.
      guard let find, table.last == 0,
        let start = table.baseAddress?.assumingMemoryBound(to: CChar.self)
      else { return [] }
      let end = start + table.count
      var found: [String] = []
      for needle in needles {
        var rest = start
        while let hit = find(rest, end - rest, needle, needle.utf8.count) {
          var first = hit.assumingMemoryBound(to: CChar.self)
          rest = first + strlen(first)
          // Functions only, "…F" or "…FZ"; most other symbols are parts of them.
          guard rest[-1] == 0x46 || rest[-1] == 0x5a && rest[-2] == 0x46 else { continue }
          while first > start, first[-1] != 0 { first -= 1 }
          let name = String(cString: first)
          if name.hasPrefix("$s") { found.append(name) }
        }
      }
      return found.sorted()
    }

    // MARK: Names

    private typealias Demangle =
      @convention(c) (
        UnsafePointer<CChar>?, Int, UnsafeMutablePointer<CChar>?, UnsafeMutablePointer<Int>?, UInt32
      ) -> UnsafeMutablePointer<CChar>?

    /// The function of the Swift runtime; `nil` if the runtime is linked statically.
    private static let demangle = dlsym(nil, "swift_demangle")
      .map { unsafeBitCast($0, to: Demangle.self) }

    /// A name in its readable form.
    static func readable(_ name: String) -> String? {
      guard let text = demangle?(name, name.utf8.count, nil, nil, 0) else { return nil }
      defer { free(text) }
      return String(cString: text)
    }
  }
#endif
