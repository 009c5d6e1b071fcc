import ReactorMachines
import ReactorRuntime
import TestLimits
import TestSupport
import Testing

@testable import Reactor

@Suite(.bounded) struct InboxTests {
  @Test func `the first action requests a job, those behind it do not`() {
    let inbox = Box<String>()
    #expect(inbox.admit("a") == .accepted(0, schedules: true))
    #expect(inbox.admit("b") == .accepted(1, schedules: false))
    #expect(inbox.admit("c") == .accepted(2, schedules: false))
  }

  @Test func `everything is taken at once, in order`() {
    let inbox = Box<String>()
    for action in ["a", "b", "c"] { _ = inbox.admit(action) }
    #expect(inbox.take(endingJob: true))
    #expect(inbox.batch == ["a", "b", "c"])
  }

  @Test func `a job that finds no action ends, and the next action requests another`() {
    let inbox = Box<String>()
    _ = inbox.admit("a")
    _ = inbox.take(endingJob: true)
    #expect(inbox.admit("b") == .accepted(1, schedules: false))
    _ = inbox.take(endingJob: true)
    #expect(!inbox.take(endingJob: true))
    #expect(inbox.admit("c") == .accepted(2, schedules: true))
  }

  @Test func `a take outside the job does not end the job`() {
    let inbox = Box<String>()
    _ = inbox.admit("a")
    _ = inbox.take(endingJob: false)
    #expect(!inbox.take(endingJob: false))
    #expect(inbox.admit("b") == .accepted(1, schedules: false))
  }

  @Test func `a closed inbox refuses, hands over its actions, and then the end is due`() {
    let inbox = Box<String>()
    _ = inbox.admit("a")
    inbox.begin()
    #expect(inbox.close() == .begun)
    #expect(inbox.admit("b") == .refused(.closed))
    #expect(inbox.take(endingJob: true))
    #expect(inbox.batch == ["a"])
    #expect(!inbox.take(endingJob: true))
    #expect(inbox.isEndDue)
  }

  @Test func `closing an idle inbox requests a job, once`() {
    let inbox = Box<String>()
    #expect(inbox.close() == .begunAndSchedules)
    #expect(inbox.close() == .expedited)
    #expect(inbox.close() == .already)
  }

  @Test func `a job is requested without an action at most once`() {
    let inbox = Box<String>()
    #expect(inbox.requestJob())
    #expect(!inbox.requestJob())
    #expect(inbox.admit("a") == .accepted(0, schedules: false))
  }

  @Test func `with a limit, an action that has been taken is released while others wait`() {
    let inbox = Box<Handle>(2)
    let released = Gate()
    _ = inbox.admit(Handle { released.open() })
    _ = inbox.admit(Handle {})
    _ = inbox.take(endingJob: false)
    inbox.releaseTaken()
    #expect(released.isOpen)
  }
}

/// A copyable handle, which `#expect` needs.
private final class Box<Action: Sendable> {
  enum Closing { case begun, begunAndSchedules, expedited, already }

  private let base: Inbox<Action>
  private var queue = Inbox<Action>.Queue()
  /// What the last take brought.
  private(set) var batch: [Action] = []

  init(_ limit: Int = .max) { base = Inbox(limit: limit) }

  var isEndDue: Bool { base.isEndDue }

  func begin() { _ = base.begin() }
  func admit(_ action: Action) -> InboxMachine.Admission { base.admit(action) }
  func requestJob() -> Bool { base.requestJob() }

  func close() -> Closing {
    let closing = base.close(.cancel)
    return switch closing.step {
    case .begun: closing.schedules ? .begunAndSchedules : .begun
    case .expedited: .expedited
    case .already: .already
    }
  }

  func take(endingJob: Bool) -> Bool {
    let isThere = base.dequeue(into: &queue, endsJob: endingJob)
    batch = queue.removeAll().map(\.action)
    return isThere
  }

  func releaseTaken() { batch = [] }
}

/// Reports when it is released.
private final class Handle: Sendable {
  private let released: @Sendable () -> Void

  init(_ released: @escaping @Sendable () -> Void) { self.released = released }

  deinit { released() }
}
