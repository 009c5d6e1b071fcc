/// Deadlock detection: searches for a cycle of asks that contains a given wait.
struct AskCycleSearch {
  private let start: AskingWork
  /// The path from the start to the node being visited.
  private var path: Set<AskingWork.Key> = []
  /// Nodes that were found to continue by themselves, whichever path leads to them.
  private var unblocked: Set<AskingWork.Key> = []

  private init(_ start: AskingWork) { self.start = start }

  /// Searches; if the wait is part of a cycle, ends it.
  static func run(for wait: AskWaitGraph.Wait) async {
    var search = AskCycleSearch(wait.asking)
    guard let cycle = await search.pathToStart(from: wait.asked), !cycle.isEmpty,
      let first = await step(wait.asking)
    else { return }
    wait.ask.end(.cycle([first] + cycle))
  }

  /// - Returns: If the work can only continue after the start does, the path to the start, empty if
  ///   it is not known; `nil` if it will continue by itself, as far as is known.
  private mutating func pathToStart(from work: AskingWork) async -> [WaitingAction]? {
    // Work that has ended meanwhile has no name. Another search has found the cycle.
    if work.key == start.key { return await Self.step(work).map { [$0] } }
    if unblocked.contains(work.key) { return nil }
    // A cycle that does not contain the start.
    guard path.insert(work.key).inserted else { return [] }
    defer { path.remove(work.key) }
    guard let found = await pathThroughWaits(of: work) else {
      unblocked.insert(work.key)
      return nil
    }
    if found.isEmpty { return [] }
    return await Self.step(work).map { [$0] + found }
  }

  private mutating func pathThroughWaits(of work: AskingWork) async -> [WaitingAction]? {
    let holders = await work.pipeline.holders(before: work.number)
    var result: [WaitingAction]?
    // A lane advances when one of the actions that run in it has ended, so all of them have to be
    // blocked.
    for holder in holders {
      guard let found = await pathToStart(from: AskingWork(work.pipeline, holder)) else {
        return nil
      }
      if result?.isEmpty != false { result = found }
    }
    guard holders.isEmpty else { return result }
    // Work with several open asks waits for each of them.
    for asked in AskWaitGraph.asked(by: work.key) {
      guard let found = await pathToStart(from: asked) else { continue }
      if !found.isEmpty { return found }
      result = []
    }
    return result
  }

  private static func step(_ work: AskingWork) async -> WaitingAction? {
    guard let name = await work.pipeline.name(of: work.number) else { return nil }
    return WaitingAction(
      reactor: work.pipeline.identity, actionNumber: ActionNumber(rawValue: work.number),
      actionName: name)
  }
}
