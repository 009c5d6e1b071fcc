public import Reactor
public import ReactorJournal
public import ReactorTesting

// A journaled reactor in a test that starts as if a journal had restored its state.

extension Simulation {
  /// Starts a journaled reactor as if a journal had restored a state: its `recovered()` is called
  /// before the first action.
  ///
  /// ```swift
  /// await simulation.recover(cart, from: .init(isPaying: true))
  /// ```
  ///
  /// There is no journal: nothing is stored, and nothing that leaves the reactor is held back.
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
  public func recover<R: JournaledReactor>(
    _ reactor: R, from state: R.State, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) async {
    await start(
      reactor, .recovered(state), at: TestPlace(fileID, filePath, line, column))
  }
}

extension ReactorTest where R: JournaledReactor {
  /// Starts a test of a journaled reactor as if a journal had restored a state.
  ///
  /// Its `recovered()` is called before the first action. What it sends happens before the first
  /// step, and has to be received. There is no journal.
  ///
  /// - Parameters:
  ///   - reactor: The reactor; it must not have been used yet.
  ///   - simulation: The simulation that it runs in.
  ///   - state: The state.
  ///   - strictness: Whether everything that happens has to be asserted.
  ///   - fileID: The source location of the call; leave it and the next three parameters out.
  ///   - filePath: As above.
  ///   - line: As above.
  ///   - column: As above.
  public convenience init(
    _ reactor: R, in simulation: Simulation, recoveredFrom state: R.State,
    strictness: Strictness = .exhaustive, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) async {
    await self.init(
      reactor, in: simulation, .recovered(state), strictness,
      at: TestPlace(fileID, filePath, line, column))
  }
}

extension ExplorationRun where R: JournaledReactor {
  /// Starts the reactor as if a journal had restored a state; see ``/ReactorTesting/Simulation``.
  ///
  /// Call it before the closure returns the reactor.
  ///
  /// - Parameter state: The state.
  public func recover(from state: R.State) { begin(.recovered(state)) }
}

extension Beginning where R: JournaledReactor {
  fileprivate static func recovered(_ state: R.State) -> Beginning {
    Beginning(state) { $0.recovered() }
  }
}
