import ReactorRuntime
public import Synchronization

/// The work of an action, to those who are part of it: an effect's body, and its child tasks.
///
/// It is there where it may matter: in the effects of actions that have a lane, and, once somebody
/// in the process has asked something, in all.
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

/// Whose work waits for which action's answer, over all reactors, and who thereby waits for
/// himself.
///
/// A circle is closed by whoever asks last, or by an action that comes into a lane last. So that is
/// when it is looked for: from reactor to reactor, by asking each what stands before an action in
/// its lane. What has been found to wait for the one who looks cannot go on meanwhile, unless it is
/// cancelled. So what is found is a circle.
///
/// Holds: `waits`, guarded by its own lock.
@usableFromInline
enum AskWaits {
  struct Wait: Identifiable, Sendable {
    let asking: AskingWork
    let asked: AskingWork
    let waiter: Ask

    var id: AskingWork.Key { asked.key }
  }

  private struct Waits: Sendable {
    /// By who is asked: each action has one asker.
    var byAsked: [AskingWork.Key: Wait] = [:]
    var byAsking: [AskingWork.Key: IdentityList<Wait>] = [:]
  }

  private static let waits = Guarded(Waits())
  /// How many there are.
  @usableFromInline static let count = Atomic(0)
  /// Whether anybody has ever asked.
  @usableFromInline static let haveBegun = Atomic(false)

  /// Whether there are any: nearly never.
  @inlinable static var areAny: Bool { count.load(ordering: .relaxed) != 0 }

  @usableFromInline
  static func begin() {
    if !haveBegun.load(ordering: .relaxed) { haveBegun.store(true, ordering: .relaxed) }
  }

  /// The work that the caller is part of, if that is known, waits for an action.
  ///
  /// - Returns: What to remove once it does not any more.
  nonisolated(nonsending) static func begin(of asked: AskingWork, _ waiter: Ask) async -> Wait? {
    guard let asking = AskingWork.current else { return nil }
    let wait = Wait(asking: asking, asked: asked, waiter: waiter)
    add(wait)
    await AskCircle.look(for: wait)
    return wait
  }

  /// An action has come to wait in its lane.
  static func lookForCircle(_ asked: AskingWork) {
    guard let wait = waits.withLock({ $0.byAsked[asked.key] }), !wait.waiter.isOver else { return }
    PipelineTasks.make { await AskCircle.look(for: wait) }
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

  /// Whom some work waits for.
  static func asked(by work: AskingWork.Key) -> [AskingWork] {
    let found = waits.withLock { $0.byAsking[work]?.all ?? [] }
    return found.filter { !$0.waiter.isOver }.map(\.asked)
  }
}
