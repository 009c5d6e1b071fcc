public import Reactor

/// Records what a running reactor does, and waits for what is still to happen, in a simulation or
/// outside.
///
/// ```swift
/// let recorder = await Recorder(search)
/// search.send(.type("swift"))
/// #expect(await recorder.next(\.state, count: 2).map(\.isLoading) == [true, false])
/// await recorder.first(\.output) { $0 == .found(3) }
/// ```
///
/// It waits for facts, never for time: ``next(_:count:fileID:filePath:line:column:)`` returns when
/// a number of entries has arrived, ``first(_:where:fileID:filePath:line:column:)`` when a matching
/// one has.
///
/// **Order**: entries are in the order in which things happened; an action comes after its
/// immediate changes. States are those that `reduce` produced, before `transform(state:)`.
///
/// **If an entry does not arrive**, because the reactor has ended or the waiting task was cancelled
/// (by a time limit, for example), an issue is reported at the call, with everything that was
/// recorded.
///
/// **Lifetime**: it does not keep the reactor alive, and continues after a restart. Several
/// recorders can record one reactor, also together with a ``ReactorTest``.
public final class Recorder<R: Reactor>: Sendable {
  /// A kind of entry, or a part of one.
  public typealias Kind<Value> = any KeyPath<RecordedEntry<R>, Value?> & Sendable

  private struct Contents: Sendable {
    var entries: [RecordedEntry<R>] = []
    var hasEnded = false
    /// For each kind, the index after the last entry that was returned.
    var positions: [(kind: any PartialKeyPath<RecordedEntry<R>> & Sendable, index: Int)] = []
  }

  /// Why waiting ended without a result.
  private enum Reason { case reactorEnded, cancelled }

  private let contents = AwaitableValue(Contents())

  /// Creates a recorder of everything that a reactor does from now on; starts the reactor if it has
  /// not started.
  ///
  /// - Parameters:
  ///   - reactor: The reactor.
  ///   - fileID: The source location of the call; leave it and the next three parameters out.
  ///   - filePath: As above.
  ///   - line: As above.
  ///   - column: As above.
  public init(
    _ reactor: R, fileID: StaticString = #fileID, filePath: StaticString = #filePath,
    line: UInt = #line, column: UInt = #column
  ) async {
    NearMisses.fail(R.self, at: TestPlace(fileID, filePath, line, column))
    let state = await reactor.startRecording(StepListener { [weak self] in self?.record($0) })
    // Inserted at the beginning, even if something was reported meanwhile.
    contents.withLock { $0.entries.insert(.began(state), at: 0) }
  }

  /// Everything recorded so far; the first entry is the state at the start of the recording.
  public var entries: [RecordedEntry<R>] { contents.withLock { $0.entries } }

  /// Everything of a kind recorded so far.
  ///
  /// - Parameter kind: `\.state`, `\.mutation`, `\.action`, `\.output` or `\.report`, or a part of
  ///   one of these: `\.state?.query`.
  /// - Returns: All values, including the state at the start of the recording.
  public func all<Value>(_ kind: Kind<Value>) -> [Value] {
    entries.compactMap { $0[keyPath: kind] }
  }

  /// Waits for the next values of a kind: those after the last one that a call for this kind
  /// returned.
  ///
  /// The first call begins after the state at the start of the recording. Call it for one kind from
  /// one task at a time.
  ///
  /// - Parameters:
  ///   - kind: As for ``all(_:)``.
  ///   - count: The number of values.
  ///   - fileID: The source location of the call; leave it and the next three parameters out.
  ///   - filePath: As above.
  ///   - line: As above.
  ///   - column: As above.
  /// - Returns: That many values; fewer if an issue was reported.
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

  /// Waits for the first matching value of a kind, among everything recorded: it may have been
  /// recorded already.
  ///
  /// - Parameters:
  ///   - kind: As for ``all(_:)``.
  ///   - fits: Whether a value matches; by default, every value does.
  ///   - fileID: The source location of the call; leave it and the next three parameters out.
  ///   - filePath: As above.
  ///   - line: As above.
  ///   - column: As above.
  /// - Returns: The first matching value; `nil` if an issue was reported.
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
      case .reduced, .taken, .output, .report: break
      }
    }
  }

  /// Visits one entry after the other, up to the last one wanted, and waits for more.
  ///
  /// Closures run outside the lock.
  ///
  /// - Returns: The index to continue at, and the reason if there is no further entry.
  private func look(
    from start: Int, isLast: (RecordedEntry<R>) -> Bool
  ) async -> (index: Int, reason: Reason?) {
    var index = start
    while true {
      // One entry at a time: a copy of the array would force the next append to copy the array.
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
  /// Everything recorded so far, one entry below the other, each state as its changes.
  public var description: String { RecordedEntry.transcript(entries) }
}

extension Reactor {
  fileprivate func startRecording(_ listener: Pipeline.Listener) -> State {
    pipeline.listen(listener, on: self)
  }
}
