public import ListChanges

/// A view that shows rows, such as a collection view.
public protocol RowsView<Row>: AnyObject {
  /// A row; of an enum, if there are rows of several kinds.
  associatedtype Row: Identifiable & Equatable & Sendable

  /// Animates the changes from the rows that are shown to the next ones.
  ///
  /// ```swift
  /// func update(_ changes: ListChanges<Row>, commit: @escaping @MainActor () -> Void) {
  ///   collectionView.performBatchUpdates { [self] in
  ///     commit()
  ///     collectionView.deleteItems(at: changes.deletes.map(path))
  ///     …
  ///   }
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - changes: The changes; there is at least one.
  ///   - commit: Sets ``ListBinding/rows`` to the next rows. Call it at the moment from which the
  ///     view has to count the next rows, before this function returns.
  @MainActor func update(_ changes: ListChanges<Row>, commit: @escaping @MainActor () -> Void)

  /// Shows the next rows without animation, because two of them have the same id.
  ///
  /// - Parameters:
  ///   - error: The rows that have the same id.
  ///   - commit: Sets ``ListBinding/rows`` to the next rows; as in `update`.
  @MainActor func reload(
    because error: DuplicateIdentifier, commit: @escaping @MainActor () -> Void)
}

/// The rows that a view shows, and the changes to the next ones.
///
/// ```swift
/// enum Row: Identifiable, Equatable { case header(String), repository(Repository), loadMore … }
///
/// list = ListBinding(to: screen)                                          // a `RowsView`
/// subscriptions.observe(reactor.state.buffering(.newest).select(\.rows), in: list)
/// list.rows.count                                                         // for the data source
/// ```
///
/// The state has the rows of all kinds in one array, which is rebuilt whole on each change. The
/// binding compares it with the rows that are shown, by identity and by value.
///
/// **Runs on** the main actor. **Lifetime**: it does not keep the view alive.
@MainActor
public final class ListBinding<Row: Identifiable & Equatable & Sendable> {
  /// The rows that are shown.
  public private(set) var rows: [Row] = []

  private let view: () -> (any RowsView<Row>)?
  private var lastShown = 0

  /// Creates a binding of a view that shows no rows yet.
  ///
  /// - Parameter view: The view.
  public init(to view: some RowsView<Row>) {
    self.view = { [weak view] in view }
  }

  /// Shows other rows.
  ///
  /// - Parameter next: All rows.
  public func show(_ next: [Row]) {
    // Also for a view that has not called `commit`; one that calls it later changes nothing.
    defer { commit(next, of: lastShown) }
    lastShown += 1
    guard let view = view() else { return }
    let commit = { @MainActor [weak self, lastShown] in
      self?.commit(next, of: lastShown)
      return
    }
    do throws(DuplicateIdentifier) {
      let changes = try ListChanges(from: rows, to: next)
      if !changes.isEmpty { view.update(changes, commit: commit) }
    } catch {
      view.reload(because: error, commit: commit)
    }
  }

  private func commit(_ next: [Row], of number: Int) {
    if number == lastShown { rows = next }
  }
}
