import Reactor
import ReactorRuntime

/// Receives the states of several reactors, and shows those that belong together.
///
/// The streams that show the result keep it alive. It starts with the first subscriber. Its tasks,
/// and its registrations with the reactors, reference it weakly.
///
/// Holds: `contents`, guarded by its own lock; the columns, which the combination's lock guards.
final class StateCombiner<Combined: Sendable>: Sendable {
  private struct Contents: Sendable {
    var hasStarted = false
    var tasks: [Task<Void, Never>] = []
    /// The registrations with the members.
    var registrations: [(member: GroupMember, registration: ColumnRegistration)] = []
  }

  private let contents = Guarded(Contents())
  private let output = RelayOutput<Combined>()
  private let combination: CombinationState
  private let columns: [any CombinedColumn]
  private let progress: [RelayProgress]
  /// Combines the states that the columns show; called under the combination's lock.
  private let combine: @Sendable () -> Combined

  init(_ columns: [any CombinedColumn], combine: @escaping @Sendable () -> Combined) {
    self.columns = columns
    self.combine = combine
    progress = columns.map { _ in RelayProgress() }
    combination = CombinationState(columns: columns.count)
    combination.setChangeHandler { [weak self] in self?.show() }
  }

  deinit {
    let (tasks, registrations) = contents.withLock { ($0.tasks, $0.registrations) }
    for task in tasks { task.cancel() }
    guard !registrations.isEmpty else { return }
    GroupOrder.withLock { _ in
      for (member, registration) in registrations { member.remove(registration) }
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
    registerForTurns()
  }

  /// Chooses the starting moment: a position in the order of what is sent to the reactors.
  private func registerForTurns() {
    var registrations: [(member: GroupMember, registration: ColumnRegistration)] = []
    for (index, column) in columns.enumerated() {
      if let member = column.member {
        registrations.append((member, ColumnRegistration(combination: combination, column: index)))
      } else {
        combination.begin(index, atVersion: 0)
      }
    }
    contents.withLock { [registrations] in $0.registrations = registrations }
    let (all, combination) = (registrations, combination)
    let unique = Dictionary(grouping: all) { $0.member.id }.values.map { $0[0].member }
    let join = {
      for (member, registration) in all { member.add(registration) }
    }
    GroupBarrier.pass(unique, after: join) { deferred in
      for (member, registration) in all {
        deferred.add(
          member.engine.mark { version, _ in
            // As in ``GroupCut``.
            GroupOrder.pass()
            combination.begin(registration.column, atVersion: version ?? 0)
          })
      }
    }
  }

  // MARK: Showing

  /// Appends what was received to a column: `append` appends a state and returns its version, or
  /// returns `nil` at the end.
  ///
  /// - Returns: Whether to continue.
  private func received(_ append: () -> UInt64?, in column: Int) -> Bool {
    let isWanted = combination.contents.withLock { contents -> Bool in
      guard let version = append() else {
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
      let next = combination.contents.withLock { contents -> Next in
        if isFirst, contents.isShowing { return Next() }
        isFirst = false
        contents.isShowing = contents.advance(columns)
        return nextToShow(contents)
      }
      for column in columns { column.release(under: combination) }
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

  private func nextToShow(_ contents: CombinationState.Contents) -> Next {
    let hasEnded = contents.hasEnded(columns)
    if contents.isShowing { return Next(combined: combine(), hasEnded: hasEnded) }
    guard contents.hasBegun else { return Next(hasEnded: hasEnded) }
    return Next(
      passed: contents.columns.map(\.received), shown: output.latestVersion, hasEnded: hasEnded)
  }

  /// What is to be done outside the combination's lock.
  private struct Next: Sendable {
    var combined: Combined?
    /// Set if there is nothing more to show: the versions of the states that were received, and of
    /// the last tuple that was shown.
    var passed: [UInt64] = []
    var shown: UInt64 = 0
    var hasEnded = false
  }
}
