import TestLimits
import TestSupport

@testable import Reactor

/// What the test does to the reactor, in an order that the seed decides.
extension LaneShuffle {
  /// Runs the script to its end.
  ///
  /// - Returns: What was wrong.
  func run() async -> [String] {
    for _ in 0..<(12 + random.below(24)) { await step() }
    await finish()
    await checkHistory()
    let released = orders.released
    reactor = nil
    await released.pass()
    return shuffleLog.now.problems
  }

  func step() async {
    guard let reactor else { return }
    switch random.below(10) {
    case 0, 1, 2: send(to: reactor)
    case 3: await sendSeveral(to: reactor)
    case 4: await cancelReceipt(on: reactor)
    case 5: if random.oneIn(3) { await cancelLane(on: reactor) }
    case 6: await updateLane(on: reactor)
    case 7: gates[random.below(actions.count)][random.below(3)].open()
    case 8: clock.advance(to: clock.now.step + 1 + random.below(3))
    default: if random.oneIn(2) { await reactor.flush() } else { await Task.yield() }
    }
  }

  func send(to reactor: R) {
    guard next < roots else { return }
    let action = next
    shuffleLog.note { _ = $0.sent.insert(action) }
    if random.oneIn(5) {
      tracked.append(reactor.sendTracked(action))
    } else if ending != .release, random.oneIn(4) {
      asked.append((action, Task { await reactor.outcome(of: action) }))
    } else {
      receipts.append((action, reactor.send(action)))
    }
    next += 1
  }

  /// In one go, and perhaps with a cancel right behind.
  func sendSeveral(to reactor: R) async {
    let batch = Array(next..<min(roots, next + 3))
    guard let last = batch.last else { return }
    next = last + 1
    shuffleLog.note { $0.sent.formUnion(batch) }
    let key = random.oneIn(4) ? actions[last].key : nil
    if let key { Self.touch(lane: key, actions, shuffleLog) }
    let isCancelled = key == nil && random.oneIn(3)
    if isCancelled { shuffleLog.note { _ = $0.touched.insert(last) } }
    // In this turn nothing is taken, so that the cancel comes before all of them.
    let cancelledBeforeTaken = batch.filter {
      isCancelled && $0 == last || key != nil && actions[$0].key == key
    }
    shuffleLog.note { $0.cancelledBeforeTaken.formUnion(cancelledBeforeTaken) }
    let receipts = await reactor.turn { reactor in
      let receipts = batch.map { reactor.send($0) }
      if let key { reactor.cancel(lane: key) }
      if isCancelled { receipts.last?.cancel() }
      return receipts
    }
    self.receipts += zip(batch, receipts).map { ($0, $1) }
  }

  func cancelReceipt(on reactor: R) async {
    guard let (action, receipt) = receipts.randomElement(using: &random) else { return }
    shuffleLog.note { _ = $0.touched.insert(action) }
    if random.oneIn(2) { return receipt.cancel() }
    // What is inside a hook is past recalling.
    guard !Engine<R>.hasMutationHook else { return }
    let shuffleLog = shuffleLog
    await reactor.turn { reactor in
      receipt.cancel()
      guard !Engine<R>.hasActionHook || shuffleLog.now.started.contains(action) else { return }
      let count = reactor.currentState.count { $0 / 10 == action }
      shuffleLog.note { $0.silent[action] = min($0.silent[action] ?? .max, count) }
    }
  }

  func cancelLane(on reactor: R) async {
    let key = random.below(lanes.count)
    Self.touch(lane: key, actions, shuffleLog)
    if random.oneIn(2) {
      reactor.cancel(lane: key, isolation: nil)
    } else {
      await reactor.turn { $0.cancel(lane: key) }
    }
  }

  func updateLane(on reactor: R) async {
    let key = random.below(lanes.count)
    guard lanes[key].isMixed, let lane = lanes[key].rules.randomElement(using: &random) else {
      return
    }
    await reactor.update(lane)
  }
}
