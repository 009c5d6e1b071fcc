/// Identifies reports that count as alike when they are written as lines.
///
/// It never contains what an action or an error carries.
package struct ReportKind: Hashable, Sendable {
  private let reactor: ObjectIdentifier
  private let words: [String]

  package init(of reactor: Any.Type, _ words: String...) {
    self.reactor = ObjectIdentifier(reactor)
    self.words = words
  }
}

/// Decides which reports are written as lines: the first of a kind at once, then one line a second
/// with the count.
///
/// A plain value: the caller passes the time.
package struct ReportLimiter: Sendable {
  package typealias Instant = ContinuousClock.Instant

  /// How long reports of the kind of the last line are only counted.
  package static let pause = Duration.seconds(1)
  /// How many kinds are tracked at a time.
  package static let limit = 256

  private struct Entry {
    /// The first line, once it has been made.
    var line: String?
    var due: Instant
    var count = 0
  }

  private var entries: [ReportKind: Entry] = [:]
  /// The number of reports of kinds that exceeded the limit.
  private var others = 0

  package init() {}

  /// Counts a report.
  ///
  /// - Returns: Whether it has to be written as a line; the line is then passed to
  ///   ``setLine(_:of:)``.
  package mutating func register(_ kind: ReportKind, at now: Instant) -> Bool {
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

  /// Keeps the first line of a kind for the later ones.
  package mutating func setLine(_ line: String, of kind: ReportKind) { entries[kind]?.line = line }

  /// Whether lines may become due later, even without a further report.
  package var isCounting: Bool { !entries.isEmpty }

  /// Returns the lines for the reports that were counted until now.
  ///
  /// A kind without new reports is forgotten.
  package mutating func due(at now: Instant) -> [String] {
    let overdue = entries.filter { $0.value.due <= now }
    for (kind, entry) in overdue {
      entries[kind] = entry.count == 0 ? nil : Entry(line: entry.line, due: now + Self.pause)
    }
    var lines = overdue.values.filter { $0.count > 0 }.map { entry in
      "\(entry.count) more like this: \(entry.line ?? "a report that is being written")"
    }.sorted()
    if !overdue.isEmpty, others > 0 {
      lines.append("\(others) more reports, of too many kinds to distinguish")
      others = 0
    }
    return lines
  }
}
