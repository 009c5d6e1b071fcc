public import Reactor

/// A state with which a reactor under test starts, in place of its initial state.
package struct Beginning<R: Reactor>: Sendable {
  let state: R.State
  /// Called on the reactor before the first action, if it has started with the state.
  let afterwards: @Sendable (isolated R) -> Void

  package init(_ state: R.State, afterwards: @escaping @Sendable (isolated R) -> Void = { _ in }) {
    (self.state, self.afterwards) = (state, afterwards)
  }
}

extension Reactor {
  /// Starts, with a state if one is given, and adds a listener before anything else happens.
  ///
  /// - Returns: The state, and whether the reactor has begun with the one that was given.
  func begin(
    from beginning: Beginning<Self>?, _ listener: Pipeline.Listener? = nil
  ) -> (state: State?, hasBegun: Bool) {
    guard let beginning else { return (listener.map { pipeline.listen($0, on: self) }, true) }
    let hasBegun = pipeline.begin(from: beginning.state, on: self)
    let state = listener.map { pipeline.listen($0, on: self) }
    if hasBegun { beginning.afterwards(self) }
    return (state, hasBegun)
  }
}

extension Simulation {
  /// Starts a reactor with a state, in place of its initial one.
  ///
  /// ```swift
  /// await simulation.start(cart, from: .init(items: [.book]))
  /// ```
  ///
  /// The hooks are called, and all but the state is as after a start. A journaled reactor starts
  /// without a journal: nothing that leaves it is held back; use
  /// `recover(_:from:)` of `ReactorJournalTesting` to have its `recovered()` called as well.
  ///
  /// **If the reactor has started already**, an issue is reported at the call, and nothing is done.
  ///
  /// - Parameters:
  ///   - reactor: A reactor that has not been used yet.
  ///   - state: The state.
  ///   - fileID: The source location of the call; leave it and the next three parameters out.
  ///   - filePath: As above.
  ///   - line: As above.
  ///   - column: As above.
  public func start<R: Reactor>(
    _ reactor: R, from state: R.State, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) async {
    await start(reactor, Beginning(state), at: TestPlace(fileID, filePath, line, column))
  }

  package func start<R: Reactor>(
    _ reactor: R, _ beginning: Beginning<R>, at place: TestPlace
  ) async {
    guard await !reactor.begin(from: beginning).hasBegun else { return }
    place.fail(Beginning<R>.begunText)
  }
}

extension Beginning {
  static var begunText: String {
    "\(R.self) has started already, and cannot start from another state; make an unused one"
  }
}
