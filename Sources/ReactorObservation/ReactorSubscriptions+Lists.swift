public import Reactor

extension ReactorSubscriptions {
  /// Shows every list of rows in a list, on the main actor, animated by the differences.
  ///
  /// ```swift
  /// subscriptions.observe(reactor.state.buffering(.newest).select(\.rows), in: list)
  /// ```
  ///
  /// - Parameters:
  ///   - rows: The rows, whole each time.
  ///   - list: The list, which has the rows that are shown now.
  public func observe<S: AsyncSequence & Sendable, Row>(_ rows: S, in list: ListBinding<Row>)
  where S.Element == [Row], S.Failure == Never {
    observe(rows) { list.show($0) }
  }

  /// Sends every element of a sequence to a reactor until the binding ends.
  ///
  /// ```swift
  /// subscriptions.send(contentsOf: button.taps.map { _ in .increase }, to: reactor)
  /// ```
  ///
  /// See ``/Reactor/Reactor/send(contentsOf:)``.
  ///
  /// - Parameters:
  ///   - actions: The actions.
  ///   - reactor: The reactor.
  public func send<S: AsyncSequence, R: Reactor>(contentsOf actions: sending S, to reactor: R)
  where S.Element == R.Action, S.Failure == Never, S.AsyncIterator: SendableMetatype {
    let feed = reactor.send(contentsOf: actions)
    task {
      _ = await feed.end
      withExtendedLifetime(feed) {}
    }
  }
}
