import Reactor
import Readline

/// A screen of the program: its reactor, what it understands, and how it looks.
protocol Screen: Sendable {
  associatedtype Command: ScreenCommand
  associatedtype R: Reactor

  var reactor: R { get }

  /// Does what is to be done before the first line.
  func begin() async throws(TaskError)

  /// Does what a line asks for.
  ///
  /// - Returns: The receipt of the action that this became, to wait for; or where to go.
  func obey(_ command: Command) async throws(TaskError) -> ScreenStep<R>

  /// What is new in a state: each is told once.
  func notices(of state: R.State, after last: R.State?) -> [Notice]

  /// Which screen the state asks to open on top of this one, if that is new.
  func opened(by state: R.State, after last: R.State?) -> (any Screen)?

  /// Whether the screen has closed itself.
  func isClosed(_ state: R.State) -> Bool

  /// Whether the program may end; if something would be lost, it asks first.
  func agreesToQuit() async -> Bool

  /// What is lost if the program ends now.
  func loss(in state: R.State) -> String?

  /// The state as it looks on a terminal.
  func picture(of state: R.State) -> Picture

  /// Prints what the screen shows, where it is not painted.
  func printSeen() async throws(TaskError)

  /// Turns pages of what it shows: down if there are more than none, else up.
  func turn(pages: Int)

  /// Hears how a screen ended that was on top of this one.
  func uncovered(by other: any Screen) async

  /// What Tab knows of.
  func completion(of state: R.State) -> CommandCompletion

  /// Hears what is being typed.
  ///
  /// - Returns: Whether the screen follows what is typed.
  func hears(_ edit: LineEdit) -> Bool

  /// Fits the window.
  func fits(_ window: ConsoleWindow)
}

/// What comes of a line.
enum ScreenStep<R: Reactor>: Sendable {
  /// Nothing more, or what an action brings; wait for it, or let it go on while others are typed.
  case done
  case wait(ActionReceipt<R>)
  case goOn(ActionReceipt<R>)
  /// What an action brings, and is printed then.
  case look(ActionReceipt<R>)
  case open(any Screen)
  case help(String?)
  case back
  case quit
}

/// Something to tell a person, once.
enum Notice: Equatable, Sendable {
  case outcome(TaskOutcome)
  case failure(String)
}

extension Notice {
  var isFailure: Bool { if case .failure = self { true } else { false } }
}

/// How a screen looks at a moment.
struct Picture: Sendable {
  var prompt: String
  /// Whether something is under way, so that the spinner turns.
  var isBusy = false
  /// The rows, as many as the window has room for.
  var rows:
    @Sendable (_ window: ConsoleWindow, _ status: ScreenStatus, _ spinner: Spinner) ->
      [StyledText]
}

extension Screen {
  func begin() async {}
  func opened(by state: R.State, after last: R.State?) -> (any Screen)? { nil }
  func isClosed(_ state: R.State) -> Bool { false }
  func agreesToQuit() async -> Bool { true }
  func loss(in state: R.State) -> String? { nil }
  func printSeen() async throws(TaskError) {}
  func turn(pages: Int) {}
  func uncovered(by other: any Screen) async {}
  func hears(_ edit: LineEdit) -> Bool { false }
  func fits(_ window: ConsoleWindow) {}
}

extension Pulse where Value: Sendable {
  /// The value, if it has been set since.
  func fired<Wrapped>(since last: Pulse?) -> Wrapped? where Value == Wrapped? {
    (last.map { isNewer(than: $0) } ?? true) ? wrappedValue : nil
  }
}
