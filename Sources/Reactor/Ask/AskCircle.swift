/// Looks whether an asker waits for itself.
struct AskCircle {
  private let start: AskingWork
  /// What it has come by to where it looks.
  private var path: Set<AskingWork.Key> = []
  /// What it has found to go on by itself, whichever way leads there.
  private var free: Set<AskingWork.Key> = []

  private init(_ start: AskingWork) { self.start = start }

  /// Looks; if the asker waits for itself, ends its waiting.
  static func look(for wait: AskWaits.Wait) async {
    var circle = AskCircle(wait.asking)
    guard let way = await circle.follow(wait.asked), !way.isEmpty,
      let first = await step(wait.asking)
    else { return }
    wait.waiter.end(.circle([first] + way))
  }

  /// - Returns: Where the work waits for ever if the asker does, the way to that, empty where it is
  ///   not known; `nil` if it will go on by itself, as far as is known.
  private mutating func follow(_ work: AskingWork) async -> [WaitingAction]? {
    // Of work that has ended meanwhile there is no name: another one has found the circle.
    if work.key == start.key { return await Self.step(work).map { [$0] } }
    if free.contains(work.key) { return nil }
    // A circle that the one that looks is not part of.
    guard path.insert(work.key).inserted else { return [] }
    defer { path.remove(work.key) }
    guard let way = await followOn(from: work) else {
      free.insert(work.key)
      return nil
    }
    if way.isEmpty { return [] }
    return await Self.step(work).map { [$0] + way }
  }

  private mutating func followOn(from work: AskingWork) async -> [WaitingAction]? {
    let holders = await work.pipeline.holders(before: work.number)
    var found: [WaitingAction]?
    // A lane moves on when one of those that run in it has ended: all have to be stuck.
    for holder in holders {
      guard let way = await follow(AskingWork(work.pipeline, holder)) else { return nil }
      if found?.isEmpty != false { found = way }
    }
    guard holders.isEmpty else { return found }
    // Work that has asked several waits for each of them.
    for asked in AskWaits.asked(by: work.key) {
      guard let way = await follow(asked) else { continue }
      if !way.isEmpty { return way }
      found = []
    }
    return found
  }

  private static func step(_ work: AskingWork) async -> WaitingAction? {
    guard let name = await work.pipeline.name(of: work.number) else { return nil }
    return WaitingAction(
      reactor: work.pipeline.identity, actionNumber: ActionNumber(rawValue: work.number),
      actionName: name)
  }
}
