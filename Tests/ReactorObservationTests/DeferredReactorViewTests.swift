import Observation
import Reactor
import ReactorObservation
import TestLimits
import TestSupport
import Testing

/// What is loaded later.
@MainActor private final class Label {
  let texts = Log<String>()

  func show(_ text: String) { texts.append(text) }
}

@MainActor @Observable private final class Screen: DeferredReactorView {
  let deferredBinding = DeferredBinding<ScriptedReactor>()
  var label: Label?
  @ObservationIgnored let bound = Log<ObjectIdentifier>()

  var isViewLoaded: Bool { label != nil }

  func bind(reactor: ScriptedReactor, subscriptions: ReactorSubscriptions) {
    bound.append(ObjectIdentifier(reactor))
    subscriptions.observe(reactor.state) { [weak self] in self?.label?.show("\($0)") }
  }
}

/// A view that `Observation` does not track, as a view controller.
@MainActor private final class Controller: DeferredReactorView {
  let deferredBinding = DeferredBinding<ScriptedReactor>()
  private(set) var isViewLoaded = false
  let bound = Log<ObjectIdentifier>()

  func viewDidLoad() {
    isViewLoaded = true
    viewIsReady()
  }

  func bind(reactor: ScriptedReactor, subscriptions: ReactorSubscriptions) {
    bound.append(ObjectIdentifier(reactor))
  }
}

@MainActor @Suite(.bounded) struct DeferredReactorViewTests {
  private let first = ScriptedReactor()
  private let second = ScriptedReactor()

  @Test func `a reactor is bound when the view is loaded, with nothing to call`() async {
    let screen = Screen()
    screen.reactor = first
    #expect(screen.bound.entries == [])
    #expect(screen.reactor === first)
    let label = Label()
    screen.label = label
    #expect(await screen.bound.entries(upTo: 1) == [ObjectIdentifier(first)])
    #expect(await label.texts.entries(upTo: 1) == ["[]"])
  }

  @Test func `only the reactor that was assigned last is bound`() async {
    let screen = Screen()
    screen.reactor = first
    screen.reactor = second
    screen.label = Label()
    #expect(await screen.bound.entries(upTo: 1) == [ObjectIdentifier(second)])
  }

  @Test func `a loaded view is bound at once, and again with another reactor`() {
    let screen = Screen()
    screen.label = Label()
    screen.reactor = first
    screen.reactor = second
    screen.reactor = nil
    #expect(screen.bound.entries == [ObjectIdentifier(first), ObjectIdentifier(second)])
    #expect(screen.reactor == nil)
  }

  @Test func `a change that does not load the view binds nothing`() async {
    let screen = Screen()
    screen.reactor = first
    screen.label = nil
    await Task { @MainActor in }.value
    await Task { @MainActor in }.value
    #expect(screen.bound.entries == [])
    screen.label = Label()
    #expect(await screen.bound.entries(upTo: 1).count == 1)
  }

  @Test func `a view controller is bound by viewDidLoad`() {
    let controller = Controller()
    controller.reactor = first
    #expect(controller.bound.entries == [])
    controller.viewDidLoad()
    #expect(controller.bound.entries == [ObjectIdentifier(first)])
    controller.viewIsReady()
    #expect(controller.bound.count == 1)
  }

  @Test func `a reactor that is assigned in viewDidLoad is bound once`() {
    let controller = Controller()
    controller.viewDidLoad()
    controller.reactor = first
    #expect(controller.bound.count == 1)
  }

  @Test func `a view that waits is released`() async {
    var screen: Screen? = Screen()
    weak let released = screen
    screen?.reactor = first
    screen = nil
    #expect(released == nil)
  }
}
