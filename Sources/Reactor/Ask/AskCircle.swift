/// Looks whether an asker waits for itself.
@usableFromInline
struct AskCircle {
  private enum Finding {
    /// It will go on by itself, as far as is known.
    case free
    /// It waits for ever if the asker does, and by this way if it is known.
    case stuck([WaitingAction])
  }

  private let start: AskingWork
  /// What it has come by to where it looks.
  private var path: Set<AskingWork.Key> = []
  /// What it has found to go on by itself, whichever way leads there.
  private var free: Set<AskingWork.Key> = []

  private init(_ start: AskingWork) { self.start = start }

  /// Looks; if the asker waits for itself, ends its waiting.
  static func look(for wait: AskWaits.Wait) async {
    var circle = AskCircle(wait.asking)
    guard case .stuck(let way) = await circle.follow(wait.asked), !way.isEmpty else { return }
    guard let first = await step(wait.asking) else { return }
    wait.waiter.end(.circle([first] + way))
  }

  private mutating func follow(_ work: AskingWork) async -> Finding {
    // Of work that has ended meanwhile there is no name: another one has found the circle.
    if work.key == start.key { return await Self.step(work).map { .stuck([$0]) } ?? .free }
    if free.contains(work.key) { return .free }
    // A circle that the one who looks is not part of.
    guard path.insert(work.key).inserted else { return .stuck([]) }
    defer { path.remove(work.key) }
    guard let way = await followOn(from: work) else {
      free.insert(work.key)
      return .free
    }
    if way.isEmpty { return .stuck([]) }
    return await Self.step(work).map { .stuck([$0] + way) } ?? .free
  }

  /// - Returns: The way to the one who looks, empty where it is not known; `nil` if the work is
  ///   free.
  private mutating func followOn(from work: AskingWork) async -> [WaitingAction]? {
    switch await work.pipeline.obstacle(before: work.number) {
    case .lane(let holders): await followAll(holders.map { AskingWork(work.pipeline, $0) })
    case .none: await followAny(AskWaits.asked(by: work.key))
    }
  }

  /// A lane moves on when one of those who run in it has ended: all have to be stuck.
  private mutating func followAll(_ works: [AskingWork]) async -> [WaitingAction]? {
    var way: [WaitingAction] = []
    for work in works {
      guard case .stuck(let found) = await follow(work) else { return nil }
      if way.isEmpty { way = found }
    }
    return works.isEmpty ? nil : way
  }

  /// Work that has asked several waits for each of them.
  private mutating func followAny(_ works: [AskingWork]) async -> [WaitingAction]? {
    var isStuck = false
    for work in works {
      guard case .stuck(let found) = await follow(work) else { continue }
      if !found.isEmpty { return found }
      isStuck = true
    }
    return isStuck ? [] : nil
  }

  private static func step(_ work: AskingWork) async -> WaitingAction? {
    guard let name = await work.pipeline.name(of: work.number) else { return nil }
    return WaitingAction(
      reactor: work.pipeline.identity, actionNumber: ActionNumber(rawValue: work.number),
      actionName: name)
  }
}
