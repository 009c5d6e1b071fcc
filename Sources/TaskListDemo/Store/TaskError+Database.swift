import GRDB

extension TaskError {
  /// An error of the database in one line: what is wrong, and what would do.
  init(_ error: any Error, at location: DatabaseLocation) {
    let file = location.path.map { "\"\($0)\"" } ?? "the database in memory"
    switch error {
    case let error as TaskError: self = error
    case is CancellationError: self = .cancelled
    case ForeignDatabase.later:
      self = .storage("\(file) was written by a newer version of this program; use that one")
    case ForeignDatabase.foreign:
      self = .storage("\(file) is a database of another program; name another file")
    case let error as DatabaseError: self.init(error, in: file)
    case is RowDecodingError: self.init(Stored.damage, in: file)
    default: self = .storage("\(file): \(Self.line("\(error)"))")
    }
  }

  private init(_ error: DatabaseError, in file: String) {
    self =
      switch error.resultCode {
      case .SQLITE_INTERRUPT: .cancelled
      case .SQLITE_BUSY, .SQLITE_LOCKED:
        .storage("\(file) is locked by another program; try again when that is done")
      case .SQLITE_READONLY, .SQLITE_PERM:
        .storage("\(file) is read-only; make it writable, or name another file")
      case .SQLITE_FULL:
        .storage("the disk is full, nothing was changed in \(file); make room and try again")
      case .SQLITE_NOTADB: .storage("\(file) is not a database; name another file")
      // What we write keeps the rules: what does not was there before.
      case .SQLITE_CORRUPT, .SQLITE_CONSTRAINT:
        .storage("\(file) is damaged; restore it from a backup, or name another file")
      case .SQLITE_CANTOPEN: .storage("cannot open \(file); name another file")
      case .SQLITE_IOERR:
        .storage("cannot read or write \(file): \(Self.line(error.message)); look at the disk")
      default: .storage("\(file): \(Self.line(error.message))")
      }
  }

  /// Text that others wrote, in one line.
  private static func line(_ text: String?) -> String {
    (text ?? "unknown error").split(whereSeparator: \.isNewline).joined(separator: " ")
  }
}
