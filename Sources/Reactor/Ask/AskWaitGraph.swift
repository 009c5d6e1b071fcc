import ReactorRuntime
public import Synchronization

/// The action that the current task works for: bound in an effect's body, and so in its child
/// tasks.
///
/// It is bound only where it can matter: in the effects of actions that have a lane, and, after the
/// first ask in the process, in all effects.
struct AskingWork: Sendable {
  @TaskLocal static var current: AskingWork?

  let pipeline: any AskedPipeline
  let number: UInt64

  init(_ pipeline: any AskedPipeline, _ number: UInt64) {
    self.pipeline = pipeline
    self.number = number
  }

  var key: Key { Key(pipeline: ObjectIdentifier(pipeline), number: number) }

  struct Key: Hashable {
    let pipeline: ObjectIdentifier
    let number: UInt64
  }
}

/// Deadlock detection: which work waits for the answer to which action, over all reactors.
///
/// A cycle is completed by the last ask, or by the last action that is queued in a lane, so it is
/// searched for at these moments. The search visits one reactor after another, and reads which
/// actions precede an action in its lane. Work that was found to wait for the start cannot continue
/// during the search unless it is cancelled, so what is found is a cycle.
///
/// Holds: `waits`, guarded by its own lock.
@usableFromInline
enum AskWaitGraph {
  struct Wait: Identifiable, Sendable {
    let asking: AskingWork
    let asked: AskingWork
    let ask: Ask

    var id: AskingWork.Key { asked.key }
  }

  private struct Waits: Sendable {
    /// By the action that is asked: each has one asking task.
    var byAsked: [AskingWork.Key: Wait] = [:]
    var byAsking: [AskingWork.Key: IdentityList<Wait>] = [:]
  }

  private static let waits = Guarded(Waits())
  /// The number of waits.
  @usableFromInline static let count = Atomic(0)
  /// Whether there has been an ask in this process.
  @usableFromInline static let hasBeenUsed = Atomic(false)

  /// Whether there are any; almost always false.
  @inlinable static var hasWaits: Bool { count.load(ordering: .relaxed) != 0 }

  @usableFromInline
  static func begin() {
    if !hasBeenUsed.load(ordering: .relaxed) { hasBeenUsed.store(true, ordering: .relaxed) }
  }

  /// Whether an effect has been begun that knows its action; then a task may work for an action.
  @usableFromInline static let hasBoundWork = Atomic(false)

  /// Runs a step of a turn: the action for which the current task works does not ask what a task
  /// that the step begins asks.
  @usableFromInline
  static func withoutBoundWork(_ body: () -> Void) {
    if AskingWork.current == nil { body() } else { AskingWork.$current.withValue(nil) { body() } }
  }

  static func noteBoundWork() {
    if !hasBoundWork.load(ordering: .relaxed) { hasBoundWork.store(true, ordering: .relaxed) }
  }

  /// Records that the caller's work, if that is known, waits for an action.
  ///
  /// - Returns: The wait, to be removed once it is over.
  nonisolated(nonsending) static func begin(of asked: AskingWork, _ ask: Ask) async -> Wait? {
    guard let asking = AskingWork.current else { return nil }
    let wait = Wait(asking: asking, asked: asked, ask: ask)
    add(wait)
    await AskCycleSearch.run(for: wait)
    return wait
  }

  /// Searches for a cycle after an action was queued in its lane.
  static func detectDeadlock(_ asked: AskingWork) {
    guard let wait = waits.withLock({ $0.byAsked[asked.key] }), !wait.ask.isOver else { return }
    PipelineTasks.make { await AskCycleSearch.run(for: wait) }
  }

  static func add(_ wait: Wait) {
    count.add(1, ordering: .relaxed)
    waits.withLock { waits in
      waits.byAsked[wait.asked.key] = wait
      waits.byAsking[wait.asking.key, default: IdentityList()].append(wait)
    }
  }

  static func remove(_ wait: Wait) {
    waits.withLock { waits in
      waits.byAsked[wait.id] = nil
      let asking = wait.asking.key
      waits.byAsking[asking]?.remove(wait.id)
      if waits.byAsking[asking]?.isEmpty == true { waits.byAsking[asking] = nil }
    }
    count.subtract(1, ordering: .relaxed)
  }

  /// The work that some work waits for.
  static func asked(by work: AskingWork.Key) -> [AskingWork] {
    let found = waits.withLock { $0.byAsking[work]?.all ?? [] }
    return found.filter { !$0.ask.isOver }.map(\.asked)
  }
}
