/// Takes in the states of several reactors, and shows those that belong together.
///
/// It is kept by those who look, or may, and begins when somebody first does. Its tasks, and what
/// is left with the reactors, know it weakly.
///
/// Holds: `own`, guarded by its own lock; the columns, which the book's lock guards.
final class StateCombiner<Combined: Sendable>: StateSource, StateOwner {
  typealias State = Combined

  private struct Own: Sendable {
    var hasStarted = false
    var tasks: [Task<Void, Never>] = []
    /// Where the reactors have their seats, and in which order these are.
    var seats: [GroupSeat] = []
  }

  private let own = Guarded(Own())
  private let output = StateBroadcaster<Combined>()
  private let book: CombinedBook
  private let columns: [any CombinedColumn]
  private let order = GroupOrder()
  /// Makes one of the states that the columns show; under the book's lock.
  private let combine: @Sendable () -> Combined

  init(_ columns: [any CombinedColumn], combine: @escaping @Sendable () -> Combined) {
    self.columns = columns
    self.combine = combine
    book = CombinedBook(columns: columns.count)
    output.keepLatest()
    book.whenChanged { [weak self] in self?.show() }
  }

  deinit {
    let (tasks, seats) = own.withLock { ($0.tasks, $0.seats) }
    for task in tasks { task.cancel() }
    guard !seats.isEmpty else { return }
    order.withLock {
      for seat in seats {
        seat.watchers.removeAll { $0.book === book }
        seat.settle()
      }
    }
  }

  func subscribe(_ policy: StateBuffering) -> StateSubscription<Combined> {
    StateSubscription(output, of: self, policy)
  }

  func newcomer() { start() }

  nonisolated(nonsending) func answer(
    _ cursor: StateCursor<Combined>, of asking: StateBroadcaster<Combined>
  ) async -> Bool { true }

  func giveBack(_ deserted: StateBroadcaster<Combined>) {}

  // MARK: Beginning

  private func start() {
    let isFirst = own.withLock { own in
      defer { own.hasStarted = true }
      return !own.hasStarted
    }
    guard isFirst else { return }
    // Observed before the moment is chosen at which to begin, so that no state after it is missed.
    let tasks = columns.enumerated().map { index, column in
      column.observe { [weak self] in self?.received($0, in: index) ?? false }
    }
    own.withLock { $0.tasks = tasks }
    watch()
  }

  /// Chooses the moment to begin at: one in the order of what is sent to the reactors.
  private func watch() {
    var seated: [(seat: GroupSeat, column: Int, core: any GroupedPipeline)] = []
    for (index, column) in columns.enumerated() {
      if let core = column.core {
        let seat = core.seat(in: order)
        order.merge(seat.order)
        seated.append((seat, index, core))
      } else {
        book.begin(index, atVersion: 0)
      }
    }
    own.withLock { $0.seats = seated.map(\.seat) }
    let (all, book, order) = (seated, book, order)
    let unique = Dictionary(grouping: all) { ObjectIdentifier($0.seat) }.values.map { $0[0].seat }
    let join = {
      for (seat, column, _) in all {
        seat.watchers.append(CombinedWatcher(book: book, column: column))
        seat.settle()
      }
    }
    GroupSeat.pass(unique, in: order, after: join) { errands in
      for (_, column, core) in all {
        let asJob = core.mark { _, version in
          // As in ``GroupCut``.
          order.withLock {}
          book.begin(column, atVersion: version)
        }
        errands.add { core.look(asJob: asJob) }
      }
    }
  }

  // MARK: Going on

  /// Puts what has come into a column: a state, of which it is told the version, or `nil` at the
  /// end.
  ///
  /// - Returns: Whether to go on.
  private func received(_ news: () -> UInt64?, in column: Int) -> Bool {
    let isWanted = book.contents.withLock { contents -> Bool in
      guard let version = news() else {
        contents.columns[column].hasEnded = true
        return false
      }
      contents.columns[column].received = version
      return true
    }
    show()
    return isWanted
  }

  /// Shows what there is to show, in order; who comes meanwhile leaves it to the one who does so.
  private func show() {
    var isFirst = true
    while true {
      let (combined, hasEnded) = book.contents.withLock { contents -> (Combined?, Bool) in
        if isFirst, contents.isShowing { return (nil, false) }
        isFirst = false
        contents.isShowing = contents.advance(columns)
        return (contents.isShowing ? combine() : nil, contents.hasEnded(columns))
      }
      for column in columns { column.release(under: book) }
      if let combined { output.publishNext(combined) }
      if hasEnded { output.finish() }
      if combined == nil { return }
    }
  }
}
