/// What makes two reports alike, where they become lines: never what an action or an error carries.
package struct ReportKind: Hashable, Sendable {
  private let reactor: ObjectIdentifier
  private let words: [String]

  package init(of reactor: Any.Type, _ words: String...) {
    self.reactor = ObjectIdentifier(reactor)
    self.words = words
  }
}

/// Decides which reports become lines: the first of a kind at once, then one line a second with the
/// count.
///
/// A plain value: time is what the caller says it is.
package struct ReportLimiter: Sendable {
  package typealias Instant = ContinuousClock.Instant

  /// For how long those like the last line are only counted.
  package static let pause = Duration.seconds(1)
  /// Of how many kinds there are books at a time.
  package static let limit = 256

  private struct Entry {
    /// The first line, once it has been made.
    var line: String?
    var due: Instant
    var count = 0
  }

  private var entries: [ReportKind: Entry] = [:]
  /// Reports of kinds for which there was no room.
  private var others = 0

  package init() {}

  /// Counts a report.
  ///
  /// - Returns: Whether it is to become a line; that is given to ``keep(_:of:)`` then.
  package mutating func arrive(_ kind: ReportKind, at now: Instant) -> Bool {
    if entries[kind] != nil {
      entries[kind]?.count += 1
      return false
    }
    guard entries.count < Self.limit else {
      others += 1
      return false
    }
    entries[kind] = Entry(due: now + Self.pause)
    return true
  }

  /// Keeps a kind's first line, for those that follow.
  package mutating func keep(_ line: String, of kind: ReportKind) { entries[kind]?.line = line }

  /// Whether there may be lines later, although no report comes any more.
  package var isCounting: Bool { !entries.isEmpty }

  /// The lines of those that were counted until now; a kind of which nothing came is forgotten.
  package mutating func due(at now: Instant) -> [String] {
    let overdue = entries.filter { $0.value.due <= now }
    for (kind, entry) in overdue {
      entries[kind] = entry.count == 0 ? nil : Entry(line: entry.line, due: now + Self.pause)
    }
    var lines = overdue.values.filter { $0.count > 0 }.map { entry in
      "\(entry.count) more like this: \(entry.line ?? "a report that is being written")"
    }.sorted()
    if !overdue.isEmpty, others > 0 {
      lines.append("\(others) more reports, of too many kinds to tell apart")
      others = 0
    }
    return lines
  }
}
