import TestLimits
import Testing

@testable import ReactorJournal

/// The writer of a store, and what its reactors have added: which writes have ended, and how.
private struct GroupWorld: ExploredWorld {
  enum Event: Hashable {
    case add(bytes: Int), next(isLate: Bool), committed, failed(isShared: Bool), separated, check
  }

  static let limits = GroupCommitMachine.Limits(entries: 2, bytes: 3, time: .milliseconds(1))

  private enum Phase: Hashable { case idle, scheduled, writing, committing, separating }

  var machine = GroupCommitMachine(limits: limits)
  private var phase = Phase.idle
  /// How many bytes each write has, in the order in which they were added.
  private var writes: [Int] = []
  /// How many of them have been taken, and have ended.
  private var taken = 0
  private var ended = 0
  private var commits = 0
  /// The commits that were under way at the last check, and whether it was the same as before.
  private var isWatched = false
  private var watched = 0
  private var isStalled = false

  var events: [Event] {
    var events: [Event] = isWatched ? [.check] : []
    if writes.count < 4 { events += [.add(bytes: 1), .add(bytes: 2), .add(bytes: 9)] }
    switch phase {
    case .idle: return events
    case .scheduled: return events + [.next(isLate: false), .next(isLate: true)]
    case .writing:
      return events + [
        .next(isLate: false), .next(isLate: true), .failed(isShared: false),
        .failed(isShared: true),
      ]
    case .committing:
      return events + [.committed, .failed(isShared: false), .failed(isShared: true)]
    case .separating: return events + [.separated]
    }
  }

  mutating func apply(_ event: Event) -> String? {
    switch event {
    case .add(let bytes): return add(bytes)
    case .next(let isLate): return next(isLate: isLate)
    case .committed: return end(machine.committed())
    case .failed(let isShared): return fail(isShared: isShared)
    case .separated: return separate()
    case .check: return check()
    }
  }

  private mutating func add(_ bytes: Int) -> String? {
    writes.append(bytes)
    let addition = machine.add(GroupCommitMachine.Size(entries: 1, bytes: bytes))
    guard phase == .idle else { return addition == .wait ? known() : "scheduled twice" }
    if addition != .schedule(beginsWatch: !isWatched) { return "\(addition)" }
    if !isWatched { (isWatched, watched, isStalled) = (true, commits + 1, false) }
    schedule()
    return known()
  }

  private mutating func schedule() {
    phase = .scheduled
    commits += 1
  }

  private mutating func next(isLate: Bool) -> String? {
    let group = taken - ended
    switch machine.next(after: isLate ? .milliseconds(1) : .zero) {
    case .commit:
      if group == 0 { return "commits nothing" }
      phase = .committing
      if !isLate, taken < writes.count, fits(taken + 1) { return "leaves out what fits" }
    case .write(let count):
      if count < 1 || taken + count > writes.count { return "takes \(count)" }
      if isLate, group > 0 { return "takes too late" }
      phase = .writing
      taken += count
      if taken - ended > 1, !fits(taken) { return "takes too much" }
      if taken < writes.count, fits(taken + 1) { return "leaves out what fits" }
    }
    return known()
  }

  /// Whether the writes up to this one may be one group.
  private func fits(_ end: Int) -> Bool {
    let group = writes[ended..<end]
    return group.count <= Self.limits.entries && group.reduce(0, +) <= Self.limits.bytes
  }

  private mutating func end(_ following: GroupCommitMachine.Following) -> String? {
    if phase != .separating { ended = taken }
    phase = .idle
    if following != (taken < writes.count ? .schedule : .end) { return "\(following)" }
    if following == .schedule { schedule() }
    return known()
  }

  private mutating func fail(isShared: Bool) -> String? {
    let isSeparated = !isShared && taken - ended > 1
    switch machine.failed(isShared: isShared) {
    case .fail(let following): return isSeparated ? "does not separate" : end(following)
    case .separate:
      phase = .separating
      return isSeparated ? known() : "separates"
    }
  }

  private mutating func separate() -> String? {
    ended += 1
    let following = machine.separated()
    guard ended == taken else { return following == nil ? known() : "leaves a write behind" }
    return following.map { end($0) } ?? "does not end"
  }

  private mutating func check() -> String? {
    let check = machine.check()
    if phase == .idle {
      isWatched = false
      return check == .end ? known() : "checks an idle writer"
    }
    let wasStalled = isStalled
    isStalled = commits == watched || isStalled && commits == watched + 1
    watched = commits
    return check == (isStalled && !wasStalled ? .stalled : .again) ? known() : "\(check)"
  }

  private func known() -> String? {
    if machine.waitingCount != writes.count - taken { return "\(machine.waitingCount) wait" }
    return machine.commit == UInt64(commits) ? nil : "commit \(machine.commit)"
  }
}

/// What the writer of a store decides, in every order of events.
@Suite(.bounded) struct GroupCommitMachineTests {
  @Test func `every write is taken once, in order, within the limits, and ends`() {
    let seen = Exploration(of: GroupWorld(), depth: 14)
    print("group commit: \(seen.size)")
    #expect(seen.report == nil)
    #expect(seen.size == "11076 states, 40150 transitions")
  }

  private let size = GroupCommitMachine.Size(entries: 1, bytes: 10)

  @Test func `a write larger than the limits is a group of its own`() {
    let limits = GroupCommitMachine.Limits(entries: 9, bytes: 5, time: .seconds(1))
    var machine = GroupCommitMachine(limits: limits)
    _ = machine.add(size)
    _ = machine.add(size)
    #expect(machine.next(after: .zero) == .write(1))
    #expect(machine.next(after: .zero) == .commit)
    #expect(machine.committed() == .schedule)
    #expect(machine.next(after: .zero) == .write(1))
  }

  @Test func `a stall is reported once, and again after two commits have ended`() {
    var machine = GroupCommitMachine()
    #expect(machine.add(size) == .schedule(beginsWatch: true))
    #expect(machine.check() == .stalled)
    #expect(machine.check() == .again)
    for _ in 0..<2 {
      _ = machine.next(after: .zero)
      _ = machine.add(size)
      #expect(machine.next(after: .seconds(1)) == .commit)
      #expect(machine.committed() == .schedule)
    }
    #expect(machine.check() == .again)
    #expect(machine.check() == .stalled)
  }

  @Test func `a check that finds nothing under way is the last`() {
    var machine = GroupCommitMachine()
    _ = machine.add(size)
    _ = machine.next(after: .zero)
    _ = machine.next(after: .zero)
    #expect(machine.committed() == .end)
    #expect(machine.add(size) == .schedule(beginsWatch: false))
    _ = machine.next(after: .zero)
    _ = machine.next(after: .zero)
    #expect(machine.committed() == .end)
    #expect(machine.check() == .end)
    #expect(machine.add(size) == .schedule(beginsWatch: true))
  }
}
