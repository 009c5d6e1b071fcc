import Reactor
public import ReactorComposition

/// A screen for a reactor behind a handle: of a registry, or on another host of a cluster.
///
/// ```swift
/// struct RoomScreen: HandleScreen {
///   let reactor: HandleReactor<RegisteredReactor<String, Room>>
///   let commands = CommandTable<Room.Action>([…])
///   func prompt(of room: Room.State) -> String { "\(room.guests.count) > " }
/// }
///
/// await console.run(RoomScreen(reactor: HandleReactor(rooms["lobby"])))
/// ```
///
/// Its functions have the state of the reactor behind the handle. Where commands are that reactor's
/// actions, no further code sends them.
///
/// **Read your writes**: the next line of a script is read when what the line before it has changed
/// is in the state. The first line is read when the first state has arrived.
///
/// **If states do not arrive**, the prompt is ``waitingPrompt``, and the reason is printed once.
public protocol HandleScreen<Handle>: Screen where R == HandleReactor<Handle> {
  /// The type of the handle.
  associatedtype Handle: ReactorHandle

  /// The reactor that follows the handle's.
  var reactor: HandleReactor<Handle> { get }

  /// The prompt of a state behind the handle.
  func prompt(of state: Handle.State) -> String

  /// The rows of a state behind the handle; see ``Screen/rows(of:columns:height:)``.
  func rows(of state: Handle.State, columns: Int, height: Int) -> [StyledText]

  /// The lines that a pipe receives for a state behind the handle; see
  /// ``Screen/report(of:after:)``.
  func report(of state: Handle.State, after last: Handle.State?) -> [String]

  /// The prompt until a state has arrived, and while none do.
  var waitingPrompt: String { get }
}

extension HandleScreen {
  /// Waits for the first state.
  public func begin() async throws { await reactor.catchUp() }

  /// Always `> `.
  public func prompt(of state: Handle.State) -> String { "> " }
  /// No rows.
  public func rows(of state: Handle.State, columns: Int, height: Int) -> [StyledText] { [] }
  /// No lines.
  public func report(of state: Handle.State, after last: Handle.State?) -> [String] { [] }
  /// Always `(waiting) > `.
  public var waitingPrompt: String { "(waiting) > " }

  /// The prompt of the newest state.
  public func prompt(of state: HandleReactor<Handle>.State) -> String {
    guard state.problem == nil, let value = state.value else { return waitingPrompt }
    return prompt(of: value)
  }

  /// The rows of the newest state.
  public func rows(
    of state: HandleReactor<Handle>.State, columns: Int, height: Int
  ) -> [StyledText] {
    state.value.map { rows(of: $0, columns: columns, height: height) } ?? []
  }

  /// The lines for the newest state.
  public func report(
    of state: HandleReactor<Handle>.State, after last: HandleReactor<Handle>.State?
  ) -> [String] {
    state.value.map { report(of: $0, after: last?.value) } ?? []
  }

  /// A failure each time that states cease to arrive.
  public var notices: [NoticePulse<HandleReactor<Handle>.State>] {
    [NoticePulse(\.$lost) { .failure("the state cannot be read: \($0); it is tried again") }]
  }
}

extension HandleScreen where Command == Handle.Action {
  /// Sends the action through the handle; a user can type meanwhile.
  public func perform(_ command: Command) async throws -> ScreenStep<R> {
    .background(reactor.send(.perform(command)))
  }
}
