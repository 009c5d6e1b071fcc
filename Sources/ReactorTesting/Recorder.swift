public import Reactor

/// Writes down what a running reactor does, and waits for what is to come, in a simulation or
/// outside.
///
/// ```swift
/// let recorder = await Recorder(search)
/// search.send(.type("swift"))
/// #expect(await recorder.next(\.state, count: 2).map(\.isLoading) == [true, false])
/// await recorder.first(\.output) { $0 == .found(3) }
/// ```
///
/// Waiting is for facts, never for time: ``next(_:count:fileID:filePath:line:column:)`` returns
/// when so many have come, ``first(_:where:fileID:filePath:line:column:)`` when there is one that
/// fits.
///
/// **Order**: entries stand in the order in which things happened; an action comes after what it
/// has changed at once. States are those that `reduce` leaves, before `transform(state:)` shapes
/// them.
///
/// **If it does not come**, because the reactor has ended or the waiting task was cancelled (by a
/// time limit, say), an issue is reported where the call stands, with everything that was recorded.
///
/// **Lifetime**: it does not hold the reactor, and goes on after a restart. Any number of them may
/// record one reactor, also beside a ``ReactorTest``.
public final class Recorder<R: Reactor>: Sendable {
  /// A kind of entry, or something that an entry has.
  public typealias Kind<Value> = any KeyPath<RecordedEntry<R>, Value?> & Sendable

  private struct Contents: Sendable {
    var entries: [RecordedEntry<R>] = []
    var hasEnded = false
    /// For each kind, where to look for what comes next.
    var positions: [(kind: any PartialKeyPath<RecordedEntry<R>> & Sendable, index: Int)] = []
  }

  /// Why nothing more is waited for.
  private enum Reason { case reactorEnded, cancelled }

  private let contents = Watched(Contents())

  /// A recorder of everything that a reactor does from now on; starts it, unless it has started.
  ///
  /// - Parameters:
  ///   - reactor: The reactor.
  ///   - fileID: Where the recorder is made; leave it and the others out.
  ///   - filePath: As above.
  ///   - line: As above.
  ///   - column: As above.
  public init(
    _ reactor: R, fileID: StaticString = #fileID, filePath: StaticString = #filePath,
    line: UInt = #line, column: UInt = #column
  ) async {
    NearMisses.fail(R.self, at: TestPlace(fileID, filePath, line, column))
    let state = await reactor.startRecording(StepListener { [weak self] in self?.record($0) })
    // At the beginning, even if something was reported meanwhile.
    contents.withLock { $0.entries.insert(.began(state), at: 0) }
  }

  /// Everything recorded so far; the first is the state it began with.
  public var entries: [RecordedEntry<R>] { contents.withLock { $0.entries } }

  /// Everything of a kind recorded so far.
  ///
  /// - Parameter kind: `\.state`, `\.mutation`, `\.action`, `\.output`, `\.report`, or what one of
  ///   these has: `\.state?.query`.
  /// - Returns: All of it, the state it began with included.
  public func all<Value>(_ kind: Kind<Value>) -> [Value] {
    entries.compactMap { $0[keyPath: kind] }
  }

  /// Waits for the next of a kind: those after the last that a call for this kind has returned.
  ///
  /// The first call begins after the state that the recorder began with. Call it for one kind from
  /// one task at a time.
  ///
  /// - Parameters:
  ///   - kind: As for ``all(_:)``.
  ///   - count: How many.
  ///   - fileID: Where the call stands; leave it and the others out.
  ///   - filePath: As above.
  ///   - line: As above.
  ///   - column: As above.
  /// - Returns: So many; fewer if an issue was reported.
  @discardableResult
  public func next<Value: Sendable>(
    _ kind: Kind<Value>, count: Int = 1, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) async -> [Value] {
    let start = contents.withLock { $0.positions.first { $0.kind == kind }?.index ?? 1 }
    var found: [Value] = []
    let end = await look(from: start) { entry in
      guard found.count < count else { return true }
      if let value = entry[keyPath: kind] { found.append(value) }
      return found.count == count
    }
    contents.withLock { contents in
      contents.positions.removeAll { $0.kind == kind }
      contents.positions.append((kind, end.index))
    }
    if let reason = end.reason, found.count < count {
      let text = "\(found.count) of \(count) \(RecordedEntry<R>.name(kind))s had come"
      TestPlace(fileID, filePath, line, column).fail(explain(reason, text))
    }
    return found
  }

  /// Waits for the first of a kind that fits, among all that is recorded: it may be there already.
  ///
  /// - Parameters:
  ///   - kind: As for ``all(_:)``.
  ///   - fits: Whether this is the one; left out, any is.
  ///   - fileID: Where the call stands; leave it and the others out.
  ///   - filePath: As above.
  ///   - line: As above.
  ///   - column: As above.
  /// - Returns: The first; `nil` if an issue was reported.
  @discardableResult
  public func first<Value: Sendable>(
    _ kind: Kind<Value>, where fits: @Sendable (Value) -> Bool = { _ in true },
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) async -> Value? {
    var found: Value?
    let end = await look(from: 0) { entry in
      if let value = entry[keyPath: kind], fits(value) { found = value }
      return found != nil
    }
    if let reason = end.reason, found == nil {
      let text = "no \(RecordedEntry<R>.name(kind)) that fits had come"
      TestPlace(fileID, filePath, line, column).fail(explain(reason, text))
    }
    return found
  }

  // MARK: Recording and waiting

  private func record(_ step: ReactorPipeline<R>.Step) {
    guard let entry = RecordedEntry<R>(step) else { return }
    contents.change { contents in
      contents.entries.append(entry)
      switch entry {
      case .began: contents.hasEnded = false
      case .ended: contents.hasEnded = true
      case .reduced, .took, .output, .report: break
      }
    }
  }

  /// Looks at one entry after the other until it is the last one wanted, and waits for more.
  ///
  /// - Returns: Where to go on, and why there is no more, if so. Closures run outside the lock.
  private func look(
    from start: Int, isLast: (RecordedEntry<R>) -> Bool
  ) async -> (index: Int, reason: Reason?) {
    var index = start
    while true {
      // One at a time: a copy of all would have the next entry copy them in turn.
      let (entry, hasEnded) = contents.withLock { contents in
        (index < contents.entries.count ? contents.entries[index] : nil, contents.hasEnded)
      }
      if let entry {
        index += 1
        if isLast(entry) { return (index, nil) }
        continue
      }
      if hasEnded { return (index, .reactorEnded) }
      if Task.isCancelled { return (index, .cancelled) }
      await contents.wait { [index] in $0.entries.count > index }
    }
  }

  private func explain(_ reason: Reason, _ text: String) -> String {
    let (cause, help) =
      switch reason {
      case .reactorEnded: ("the reactor has ended", "send what brings it before the end")
      case .cancelled: ("the waiting was cancelled", "send what brings it, or turn the clock")
      }
    return "\(cause), and \(text); \(help), or expect less. Recorded:\n\n\(description)"
  }
}

extension Recorder: CustomStringConvertible {
  /// Everything recorded so far, one below the other, each state as what has changed.
  public var description: String { RecordedEntry.transcript(entries) }
}

extension Reactor {
  fileprivate func startRecording(_ listener: Pipeline.Listener) -> State {
    pipeline.listen(listener, on: self)
  }
}
