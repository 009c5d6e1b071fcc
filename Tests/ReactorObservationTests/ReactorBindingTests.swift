import Reactor
import ReactorObservation
import TestLimits
import TestSupport
import Testing

/// What ReactorKit's tests of its views assert, and what only a device shows there.
@MainActor @Suite(.bounded) struct ReactorBindingTests {
  /// A user interface class, as on any platform.
  @MainActor final class Screen {
    var bound: [ObjectIdentifier] = []
    var shown: [[Int]] = []
    let showed = Log<Int>()
    let ended = Log<Int>()
    private let waitsForView: Bool
    private(set) lazy var binding = ReactorBinding<ScriptedReactor>(waitsForView: waitsForView) {
      [weak self] reactor, subscriptions in self?.bind(reactor, subscriptions)
    }

    init(waitsForView: Bool = false) { self.waitsForView = waitsForView }

    func bind(_ reactor: ScriptedReactor, _ subscriptions: ReactorSubscriptions) {
      bound.append(ObjectIdentifier(reactor))
      subscriptions.observe(reactor.state) { [weak self] state in
        MainActor.assertIsolated()
        self?.shown.append(state)
        self?.showed.append(0)
      }
      let ended = ended
      subscriptions.task {
        try? await Gate().wait()
        ended.append(0)
      }
    }
  }

  @Test func `assigning a reactor binds it, once for each assignment`() {
    let (screen, reactor) = (Screen(), ScriptedReactor())
    screen.binding.reactor = reactor
    screen.binding.reactor = reactor
    #expect(screen.bound.count == 2)
    #expect(screen.binding.reactor === reactor)
  }

  @Test func `bound values are shown`() async {
    let (screen, reactor) = (Screen(), ScriptedReactor())
    screen.binding.reactor = reactor
    _ = await screen.showed.entries(upTo: 1)
    reactor.send(1)
    _ = await screen.showed.entries(upTo: 2)
    #expect(screen.shown == [[], [1]])
  }

  @Test func `assigning another reactor unbinds first`() async {
    let (screen, first, second) = (Screen(), ScriptedReactor(), ScriptedReactor())
    screen.binding.reactor = first
    _ = await screen.showed.entries(upTo: 1)
    screen.binding.reactor = second
    _ = await screen.ended.entries(upTo: 1)
    _ = await screen.showed.entries(upTo: 2)
    await first.send(7).settled
    await second.send(1).settled
    _ = await screen.showed.entries(upTo: 3)
    #expect(screen.shown == [[], [], [1]])
  }

  @Test func `nil unbinds: nothing more is shown, not even a state under way`() async {
    let (screen, reactor) = (Screen(), ScriptedReactor())
    screen.binding.reactor = reactor
    _ = await screen.showed.entries(upTo: 1)
    for action in 0..<100 { reactor.send(action) }
    screen.binding.reactor = nil
    let count = screen.shown.count
    _ = await screen.ended.entries(upTo: 1)
    await reactor.stop().settled
    #expect(screen.shown.count == count)
    #expect(screen.binding.reactor == nil)
    #expect(!screen.binding.isBound)
  }

  @Test func `unbinding ends an observation in the middle of an await`() async {
    let screen = Screen()
    screen.binding.reactor = ScriptedReactor()
    screen.binding.reactor = nil
    #expect(await screen.ended.entries(upTo: 1).count == 1)
  }

  @Test func `a binding that waits binds once the view is ready`() {
    let (screen, reactor) = (Screen(waitsForView: true), ScriptedReactor())
    screen.binding.reactor = reactor
    #expect(screen.bound == [])
    screen.binding.viewIsReady()
    screen.binding.viewIsReady()
    #expect(screen.bound == [ObjectIdentifier(reactor)])
  }

  @Test func `of reactors assigned while it waits, only the last one is bound`() {
    let (screen, last) = (Screen(waitsForView: true), ScriptedReactor())
    screen.binding.reactor = ScriptedReactor()
    screen.binding.reactor = last
    screen.binding.viewIsReady()
    #expect(screen.bound == [ObjectIdentifier(last)])
  }

  @Test func `a reactor that is removed while it waits is not bound`() {
    let screen = Screen(waitsForView: true)
    screen.binding.reactor = ScriptedReactor()
    screen.binding.reactor = nil
    screen.binding.viewIsReady()
    #expect(screen.bound == [])
  }

  @Test func `releasing the screen releases the reactor`() async {
    var screen: Screen? = Screen()
    let released: Gate = {
      let reactor = ScriptedReactor()
      screen?.binding.reactor = reactor
      return reactor.released
    }()
    let ended = screen?.ended
    screen = nil
    _ = await ended?.entries(upTo: 1)
    await released.pass()
  }

  @Test func `a view can be an actor of its own`() async {
    let (screen, reactor) = (ActorScreen(), ScriptedReactor())
    await screen.show(reactor)
    _ = await screen.showed.entries(upTo: 1)
    await screen.show(nil)
    #expect(await screen.shown == [[]])
  }

  @Test func `a view that is an actor of its own is released`() async {
    let reactor = ScriptedReactor()
    var screen: ActorScreen? = ActorScreen()
    let released = screen?.released
    await screen?.show(reactor)
    _ = await screen?.showed.entries(upTo: 1)
    screen = nil
    await released?.pass()
  }

  @Test func `subscriptions made after the end do not begin`() {
    let subscriptions = ReactorSubscriptions()
    subscriptions.cancel()
    #expect(subscriptions.isCancelled)
    subscriptions.task { Issue.record("it must not begin") }
  }

  @Test func `a reactor assigned while another is bound takes over`() async {
    let shown = Log<[Int]>()
    let (first, second) = (ScriptedReactor(), ScriptedReactor())
    await second.send(2).settled
    let box = Box()
    box.binding = ReactorBinding<ScriptedReactor> { [weak box] reactor, subscriptions in
      if reactor === first { box?.binding?.reactor = second }
      subscriptions.observe(reactor.state) { shown.append($0) }
    }
    box.binding?.reactor = first
    #expect(box.binding?.reactor === second)
    #expect(await shown.entries(upTo: 1) == [[2]])
    await first.send(1).settled
    await second.send(3).settled
    #expect(await shown.entries(upTo: 2) == [[2], [2, 3]])
  }

  private final class Box { var binding: ReactorBinding<ScriptedReactor>? }
}

/// A screen of a terminal, say.
private actor ActorScreen {
  let showed = Log<Int>()
  let released = Gate()
  private(set) var shown: [[Int]] = []
  private var binding: ReactorBinding<ScriptedReactor>?

  deinit { released.open() }

  func show(_ reactor: ScriptedReactor?) {
    if binding == nil {
      binding = ReactorBinding(for: self) { screen, reactor, subscriptions in
        subscriptions.observe(reactor.state, on: screen) { screen, state in
          screen.shown.append(state)
          screen.showed.append(0)
        }
      }
    }
    binding?.reactor = reactor
  }
}
