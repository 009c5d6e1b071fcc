import Foundation
import GRDB

/// A write that waits for a shared transaction, and what is called when that has ended.
struct GroupWrite: Sendable {
  enum Body: Sendable {
    case entries(EntryRows)
    /// Another change of the database. It is called again if the transaction failed.
    case change(@Sendable (Database) throws -> Void)
  }

  let body: Body
  let size: GroupCommitMachine.Size
  /// Called if the commit that the write belongs to, or waits for, does not end.
  var stalled: (@Sendable (any Error) -> Void)?
  /// Resumed with the outcome, once that is certain.
  let waiter: CheckedContinuation<Void, any Error>

  /// Executes the write in the open transaction.
  ///
  /// - Returns: Why the write is refused; nothing of it is left in the transaction then.
  /// - Throws: An error of SQLite, after which the transaction has to be rolled back.
  func execute(_ db: Database, _ writer: EntryWriter) throws -> (any Error)? {
    switch body {
    case .entries(let rows): return try writer.write(rows)
    case .change(let change):
      do {
        try db.inSavepoint {
          try change(db)
          return .commit
        }
        return nil
      } catch let error as DatabaseError {
        throw error
      } catch {
        return error
      }
    }
  }

  /// Ends the write.
  ///
  /// - Parameters:
  ///   - failure: Why it was not written; `nil` if it is durable.
  ///   - missing: The file that has been deleted or replaced, so that entries in it are lost.
  func end(_ failure: (any Error)?, missing: OpenedFile?) {
    if let failure { return waiter.resume(throwing: failure) }
    if let missing, case .entries(let rows) = body {
      let cause = FileMissingError(path: missing.path)
      return waiter.resume(throwing: JournalError.storeFailed(rows.key, cause: cause))
    }
    waiter.resume()
  }
}
