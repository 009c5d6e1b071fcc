import Reactor

/// States become pictures, notices and reports: each state, in order, as it comes.
extension Conversation {
  /// Follows a screen until its reactor ends.
  ///
  /// - Parameters:
  ///   - screen: The screen.
  ///   - opened: The state that it began with: what has fired in it is of an earlier time.
  ///   - layer: Where it is seen; nil without a terminal.
  ///   - told: Is told the version of each state that has been told.
  func follow<S: Screen>(
    _ screen: S, from opened: S.R.State, on layer: Stage.Layer? = nil,
    telling told: AsyncStream<UInt64>.Continuation
  ) async {
    var states = screen.reactor.state.makeAsyncIterator()
    var last: S.R.State?
    while let state = await states.next() {
      for notice in screen.notices(of: state, after: last ?? opened) { await tell(notice) }
      if let stage, let layer {
        await stage.show(screen.picture(of: state), screen.completion(of: state), on: layer)
      } else {
        screen.report(of: state, after: last).forEach(outlet.print)
      }
      last = state
      if let version = states.version { told.yield(version) }
    }
    told.finish()
  }

  private func tell(_ notice: Notice) async {
    switch notice {
    case .failure(let reason): fail(reason)
    case .outcome(let summary, _):
      guard let stage, !outlet.isJSON else { return await outlet.print(notice) }
      await stage.say(summary)
    }
  }
}

/// How far a screen's states have been told.
struct ToldStates {
  private var versions: AsyncStream<UInt64>.Iterator
  private var told: UInt64?

  init(_ versions: AsyncStream<UInt64>) { self.versions = versions.makeAsyncIterator() }

  /// Returns once the state that is the newest now has been told, or nothing more will be.
  mutating func reachNewest(of reactor: some Reactor) async {
    var states = reactor.state.makeAsyncIterator()
    guard await states.next() != nil, let newest = states.version else { return }
    while (told ?? 0) < newest || told == nil { told = await versions.next() ?? .max }
  }
}
