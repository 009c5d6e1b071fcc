import Reactor

/// Converts states to content, notices and reports: each state, in order, as it arrives.
extension ScreenLoop {
  /// Follows a screen's reactor, also after a restart, until there are no more generations.
  ///
  /// - Parameters:
  ///   - open: The screen.
  ///   - opened: The state at the opening; pulses that fired in it are old.
  ///   - layer: The screen's layer; nil without a terminal.
  ///   - shown: Receives the version of each state that has been shown.
  func follow<S: Screen>(
    _ open: OpenScreen<S>, from opened: S.R.State, on layer: ScreenStack.Layer? = nil,
    shown: AsyncStream<UInt64>.Continuation
  ) async {
    let screen = open.screen
    var last: S.R.State?
    for await _ in open.generations.beginnings {
      var states = screen.reactor.state.makeAsyncIterator()
      while let state = await states.next() {
        for notice in screen.notices(of: state, after: last ?? opened) { await show(notice) }
        if let stack, let layer {
          await stack.show(screen.content(of: state), screen.completion(of: state), on: layer)
        } else {
          screen.report(of: state, after: last).forEach(outlet.printReport)
        }
        last = state
        if let version = states.version { shown.yield(version) }
      }
    }
    shown.finish()
  }

  private func show(_ notice: Notice) async {
    switch notice {
    case .failure(let reason): fail(reason)
    case .warning(let text): outlet.printWarning(text)
    case .outcome(let summary, _):
      guard let stack, !outlet.isJSON else { return await outlet.print(notice) }
      await stack.showMessage(summary)
    }
  }
}

/// The version up to which a screen's states have been shown.
struct ShownVersions {
  private var versions: AsyncStream<UInt64>.Iterator
  private var shown: UInt64?

  init(_ versions: AsyncStream<UInt64>) { self.versions = versions.makeAsyncIterator() }

  /// Returns when the current newest state has been shown, or when no more will be shown.
  mutating func reachNewest(of reactor: some Reactor) async {
    var states = reactor.state.makeAsyncIterator()
    guard await states.next() != nil, let newest = states.version else { return }
    while (shown ?? 0) < newest || shown == nil { shown = await versions.next() ?? .max }
  }
}
