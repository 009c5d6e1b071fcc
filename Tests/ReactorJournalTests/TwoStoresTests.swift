#if os(Linux)
  import Foundation
  import Glibc
  import ReactorJournal
  import TestLimits
  import Testing

  /// Two stores of one process on the same file.
  @Suite(.bounded) struct TwoStoresTests {
    @Test func `a second store does not release SQLite's locks of the first`() async throws {
      let fixture = try await StoreFixture(.memory)
      defer { fixture.remove() }
      let first = try await SQLiteStore(path: fixture.path)
      let key = JournalKey(name: "cart", id: "1")
      let claim = try await first.take(key)
      let entry = JournalEntry(
        sequence: 1, version: 1, kind: .change, payload: Data("1".utf8), time: Date())
      try await first.append([entry], to: key, epoch: claim.epoch)
      #expect(try isIndexLocked(fixture.path))
      let second = try await SQLiteStore(path: fixture.path)
      #expect(try isIndexLocked(fixture.path))
      withExtendedLifetime((first, second)) {}
    }

    @Test func `stores that are opened at once can all be used`() async throws {
      let fixture = try await StoreFixture(.memory)
      defer { fixture.remove() }
      try await withThrowingTaskGroup { group in
        for number in 0..<8 {
          group.addTask {
            let store = try await SQLiteStore(path: fixture.path)
            let key = JournalKey(name: "cart", id: "\(number)")
            let claim = try await store.take(key)
            await store.release(key, epoch: claim.epoch)
          }
        }
        try await group.waitForAll()
      }
      let last = try await SQLiteStore(path: fixture.path)
      #expect(try await last.extent(of: JournalKey(name: "cart", id: "7")).last == 0)
    }

    /// Whether this process has the lock with which a connection says that it uses the index of the
    /// log.
    ///
    /// The system's list says so: closing the file here would release the lock.
    private func isIndexLocked(_ path: String) throws -> Bool {
      let locks = try String(contentsOfFile: "/proc/locks", encoding: .utf8)
      var status = stat()
      guard stat(path + "-shm", &status) == 0 else { return false }
      // `1: POSIX  ADVISORY  READ 1234 08:01:5678 128 128`
      return locks.split(separator: "\n").contains { line in
        let words = line.split(separator: " ")
        return words.count >= 8 && words[1] == "POSIX" && words[4] == "\(getpid())"
          && words[5].hasSuffix(":\(status.st_ino)") && words[6] == "128"
      }
    }
  }
#endif
