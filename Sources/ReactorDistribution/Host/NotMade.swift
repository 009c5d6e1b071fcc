import ReactorJournal

/// A reactor could not be made, or what is kept of it not be read, and it would be the same the
/// next time.
struct NotMade: Error {
  let cause: any Error

  /// Makes a reactor: what that throws is the caller's to know.
  nonisolated(nonsending) static func ifThrown<Value>(
    by make: nonisolated(nonsending) () async throws -> Value
  ) async throws -> Value {
    do {
      return try await make()
    } catch  where !(error is CancellationError) {
      throw NotMade(cause: error)
    }
  }

  /// Opens its journal: only that it cannot be read is the same wherever it is tried.
  nonisolated(nonsending) static func ifUnreadable<Value>(
    _ open: nonisolated(nonsending) () async throws -> Value
  ) async throws -> Value {
    do {
      return try await open()
    } catch let error as JournalError {
      switch error {
      // A store that failed may be there again.
      case .fenced, .storeFailed, .ended, .alreadyOpen: throw error
      default: throw NotMade(cause: error)
      }
    }
  }
}
