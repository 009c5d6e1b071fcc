import TestLimits
import TestSupport
import Testing

@testable import Reactor

@Suite(.bounded) struct ActionInboxTests {
  @Test func `the first action asks for a job, those behind it do not`() {
    let inbox = Inbox<String>()
    #expect(inbox.admit("a").is(.wake(0)))
    #expect(inbox.admit("b").is(.queued(1)))
    #expect(inbox.admit("c").is(.queued(2)))
  }

  @Test func `everything is taken at once, in order`() {
    let inbox = Inbox<String>()
    for action in ["a", "b", "c"] { _ = inbox.admit(action) }
    #expect(inbox.take(endingJob: true) == .actions)
    #expect(inbox.batch == ["a", "b", "c"])
  }

  @Test func `a job that finds nothing ends, and the next action asks for another`() {
    let inbox = Inbox<String>()
    _ = inbox.admit("a")
    _ = inbox.take(endingJob: true)
    #expect(inbox.admit("b").is(.queued(1)))
    _ = inbox.take(endingJob: true)
    #expect(inbox.take(endingJob: true) == .nothing)
    #expect(inbox.admit("c").is(.wake(2)))
  }

  @Test func `who is not the job does not end it`() {
    let inbox = Inbox<String>()
    _ = inbox.admit("a")
    _ = inbox.take(endingJob: false)
    #expect(inbox.take(endingJob: false) == .nothing)
    #expect(inbox.admit("b").is(.queued(1)))
  }

  @Test func `a closed inbox refuses, gives what it has, and says that this was the end`() {
    let inbox = Inbox<String>()
    _ = inbox.admit("a")
    #expect(inbox.close() == .scheduled)
    #expect(inbox.admit("b").is(.refused))
    #expect(inbox.take(endingJob: true) == .actions)
    #expect(inbox.batch == ["a"])
    #expect(inbox.take(endingJob: true) == .end)
  }

  @Test func `closing an idle inbox asks for a job, once`() {
    let inbox = Inbox<String>()
    #expect(inbox.close() == .wake)
    #expect(inbox.close() == .again)
  }

  @Test func `a job may be asked for without an action, once`() {
    let inbox = Inbox<String>()
    #expect(inbox.requestJob())
    #expect(!inbox.requestJob())
    #expect(inbox.admit("a").is(.queued(0)))
  }

  @Test func `with a limit, an action that has been taken is let go while others wait`() {
    let inbox = Inbox<Handle>(.atMost(2, whenFull: .refuse))
    let gone = Gate()
    _ = inbox.admit(Handle { gone.open() })
    _ = inbox.admit(Handle {})
    _ = inbox.take(endingJob: false)
    inbox.letGo()
    #expect(gone.isOpen)
  }
}

extension InboxAdmission {
  fileprivate func `is`(_ other: Self) -> Bool {
    switch (self, other) {
    case (.queued(let number), .queued(let expected)): number == expected
    case (.wake(let number), .wake(let expected)): number == expected
    case (.refused, .refused): true
    default: false
    }
  }
}

/// A copyable handle, which `#expect` needs.
private final class Inbox<Action: Sendable> {
  private let base: ActionInbox<Action>
  private let extras = ActionInbox<Action>.Extras.allocate(capacity: 1)
  private var buffer = ActionBuffer()
  /// What the last take brought.
  private(set) var batch: [Action] = []

  init(_ limit: InboxLimit = .unlimited) {
    base = ActionInbox(limit)
    extras.initialize(to: limit.isUnlimited ? nil : InboxExtras(limit))
  }

  deinit {
    _ = base.abandon(extras)
    extras.deinitialize(count: 1)
    extras.deallocate()
    buffer.free()
  }

  func admit(_ action: Action) -> InboxAdmission {
    base.admitAtOnce(action) ?? base.admit(action, nil, extras)
  }

  func close() -> ActionInbox<Action>.Closing {
    base.close(isDraining: false, extras) { 0 }.closing
  }
  func requestJob() -> Bool { base.requestJob() }

  func take(endingJob: Bool) -> ActionInbox<Action>.Found {
    var found = base.take(into: &buffer, endingJob: endingJob)
    if found == .unknown {
      var companions: [ActionCompanion] = []
      found = base.take(into: &buffer, companions: &companions, extras, endingJob: endingJob)
    }
    batch = []
    while let action = buffer.popFirst(Action.self) { batch.append(action) }
    return found
  }

  func letGo() { batch = [] }
}

/// Says when nobody holds it any more.
private final class Handle: Sendable {
  private let gone: @Sendable () -> Void

  init(_ gone: @escaping @Sendable () -> Void) { self.gone = gone }

  deinit { gone() }
}
