import ReactorJournal

/// A reactor could not be made, or its journal could not be read, and another attempt would fail as
/// well.
struct CreationError: Error {
  let cause: any Error

  /// Makes a reactor; an error of the closure is reported to the caller.
  nonisolated(nonsending) static func ifThrown<Value>(
    by make: nonisolated(nonsending) () async throws -> Value
  ) async throws -> Value {
    do {
      return try await make()
    } catch  where !(error is CancellationError) {
      throw CreationError(cause: error)
    }
  }

  /// Opens the journal; only errors that every host would have are converted.
  nonisolated(nonsending) static func ifUnreadable<Value>(
    _ open: nonisolated(nonsending) () async throws -> Value
  ) async throws -> Value {
    do {
      return try await open()
    } catch let error as JournalError {
      switch error {
      // A store that failed may work again later.
      case .fenced, .storeFailed, .ended, .alreadyOpen: throw error
      default: throw CreationError(cause: error)
      }
    }
  }
}
