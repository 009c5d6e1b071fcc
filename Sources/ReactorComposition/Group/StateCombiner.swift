import Reactor
import ReactorRuntime

/// Receives the states of several reactors, and shows those that belong together.
///
/// The streams that show the result keep it alive. It starts with the first subscriber. Its tasks,
/// and its registrations with the reactors, reference it weakly.
///
/// Holds: `contents`, guarded by its own lock; the columns, which the book's lock guards.
final class StateCombiner<Combined: Sendable>: Sendable {
  private struct Contents: Sendable {
    var hasStarted = false
    var tasks: [Task<Void, Never>] = []
    /// The registrations with the members.
    var watchers: [(member: GroupMember, watcher: CombinedWatcher)] = []
  }

  private let contents = Guarded(Contents())
  private let output = RelayOutput<Combined>()
  private let book: CombinedBook
  private let columns: [any CombinedColumn]
  private let progress: [RelayProgress]
  /// Combines the states that the columns show; called under the book's lock.
  private let combine: @Sendable () -> Combined

  init(_ columns: [any CombinedColumn], combine: @escaping @Sendable () -> Combined) {
    self.columns = columns
    self.combine = combine
    progress = columns.map { _ in RelayProgress() }
    book = CombinedBook(columns: columns.count)
    book.whenChanged { [weak self] in self?.show() }
  }

  deinit {
    let (tasks, watchers) = contents.withLock { ($0.tasks, $0.watchers) }
    for task in tasks { task.cancel() }
    guard !watchers.isEmpty else { return }
    GroupOrder.withLock { _ in
      for (member, watcher) in watchers { member.stopWatching(watcher) }
    }
  }

  /// The combined states; the stream keeps this object alive.
  var stream: StateStream<Combined> {
    StateStream(of: output) {
      self.start()
    } marks: {
      self.marks()
    }
  }

  private func marks() -> [RelayMark] {
    guard contents.withLock({ $0.hasStarted }) else { return [] }
    return zip(columns, progress).map { $0.mark($1) }
  }

  // MARK: Beginning

  private func start() {
    let isFirst = contents.withLock { contents in
      defer { contents.hasStarted = true }
      return !contents.hasStarted
    }
    guard isFirst else { return }
    // Observed before the starting moment is chosen, so that no state after it is missed.
    let tasks = columns.enumerated().map { index, column in
      column.observe { [weak self] in self?.received($0, in: index) ?? false }
    }
    contents.withLock { $0.tasks = tasks }
    watch()
  }

  /// Chooses the starting moment: a position in the order of what is sent to the reactors.
  private func watch() {
    var watchers: [(member: GroupMember, watcher: CombinedWatcher)] = []
    for (index, column) in columns.enumerated() {
      if let member = column.member {
        watchers.append((member, CombinedWatcher(book: book, column: index)))
      } else {
        book.begin(index, atVersion: 0)
      }
    }
    contents.withLock { [watchers] in $0.watchers = watchers }
    let (all, book) = (watchers, book)
    let unique = Dictionary(grouping: all) { $0.member.id }.values.map { $0[0].member }
    let join = {
      for (member, watcher) in all { member.watch(watcher) }
    }
    GroupBarrier.pass(unique, after: join) { deferred in
      for (member, watcher) in all {
        deferred.add(
          member.engine.mark { version, _ in
            // As in ``GroupCut``.
            GroupOrder.pass()
            book.begin(watcher.column, atVersion: version ?? 0)
          })
      }
    }
  }

  // MARK: Showing

  /// Appends what was received to a column: `news` appends a state and returns its version, or
  /// returns `nil` at the end.
  ///
  /// - Returns: Whether to continue.
  private func received(_ news: () -> UInt64?, in column: Int) -> Bool {
    let isWanted = book.contents.withLock { contents -> Bool in
      guard let version = news() else {
        contents.columns[column].hasEnded = true
        contents.columns[column].received = .max
        return false
      }
      contents.columns[column].received = version
      return true
    }
    show()
    return isWanted
  }

  /// Shows what there is to show, in order; a thread that calls this meanwhile leaves it to the
  /// current one.
  private func show() {
    var isFirst = true
    while true {
      let next = book.contents.withLock { contents -> Next in
        if isFirst, contents.isShowing { return Next() }
        isFirst = false
        contents.isShowing = contents.advance(columns)
        return nextToShow(contents)
      }
      for column in columns { column.release(under: book) }
      if let combined = next.combined { output.publish(combined) }
      for (progress, version) in zip(progress, next.passed) {
        progress.pass(version, shown: next.shown)
      }
      if next.hasEnded {
        output.finish()
        for progress in progress { progress.finish() }
      }
      if next.combined == nil { return }
    }
  }

  private func nextToShow(_ contents: CombinedBook.Contents) -> Next {
    let hasEnded = contents.hasEnded(columns)
    if contents.isShowing { return Next(combined: combine(), hasEnded: hasEnded) }
    guard contents.hasBegun else { return Next(hasEnded: hasEnded) }
    return Next(
      passed: contents.columns.map(\.received), shown: output.latestVersion, hasEnded: hasEnded)
  }

  /// What is to be done outside the book's lock.
  private struct Next: Sendable {
    var combined: Combined?
    /// Set if there is nothing more to show: the versions of the states that were received, and of
    /// the last tuple that was shown.
    var passed: [UInt64] = []
    var shown: UInt64 = 0
    var hasEnded = false
  }
}
