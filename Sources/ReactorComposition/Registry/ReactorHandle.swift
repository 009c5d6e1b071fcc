public import Reactor

/// A reference to a reactor that may have to be found first: in a registry of this process, or on
/// another host.
///
/// Every call can fail, since the reactor may have to be created for it, or be unreachable.
public protocol ReactorHandle<Action, State>: Sendable {
  /// The reactor's actions.
  associatedtype Action: Sendable
  /// The reactor's state.
  associatedtype State: Sendable
  /// The reactor's outputs.
  associatedtype Output: Sendable

  /// Sends an action; returns after it has been accepted.
  ///
  /// Two actions that are sent one after the other are taken in that order.
  ///
  /// - Parameter action: The action.
  /// - Throws: The reason why it was not accepted.
  nonisolated(nonsending) func send(_ action: Action) async throws

  /// Sends an action, and returns how its own work ended; see ``/Reactor/Reactor/outcome(of:)``.
  ///
  /// - Parameter action: The action.
  /// - Returns: The outcome.
  /// - Throws: The reason why it was not sent.
  nonisolated(nonsending) func outcome(of action: Action) async throws -> ActionOutcome

  /// Sends an action that carries a reply, and returns the answer.
  ///
  /// See ``/Reactor/Reactor/ask(_:)``.
  ///
  /// - Parameter action: Creates the action from the reply that it carries.
  /// - Returns: The answer.
  /// - Throws: The error that it was answered with, an ``/Reactor/AskError``, or the reason why it
  ///   was not sent.
  nonisolated(nonsending) func ask<Value: Sendable & Codable>(
    _ action: (Reply<Value>) -> Action
  ) async throws -> Value

  /// The states, the current one first; the reactor is in use while they are iterated.
  var state: HandleStream<State> { get }

  /// The outputs emitted after the iteration begins; the reactor is in use while they are iterated.
  var outputs: HandleStream<Output> { get }
}

/// The states or outputs of a ``ReactorHandle``, as an async sequence.
///
/// The reactor is found when an iterator's first element is requested, and is in use until that
/// iterator is released. **Ends** when the reactor ends, or when the iterating task is cancelled.
/// **Fails** if the reactor cannot be found.
public struct HandleStream<Element: Sendable>: AsyncSequence, Sendable {
  /// Finding the reactor may fail.
  public typealias Failure = any Error
  /// Waits for the next element.
  public typealias Next = () async throws -> Element?

  let open: @Sendable () async throws -> sending Next

  /// Creates a stream, for types of handles.
  ///
  /// - Parameter open: Finds the reactor, and returns a function that returns the elements one by
  ///   one. Each iterator calls it once, and releases that function at the end.
  public init(_ open: @escaping @Sendable () async throws -> sending Next) { self.open = open }

  /// Starts to iterate.
  ///
  /// - Returns: An iterator with its own position.
  public func makeAsyncIterator() -> Iterator { Iterator(open: open) }

  /// The position of one observer.
  public struct Iterator: AsyncIteratorProtocol {
    let open: @Sendable () async throws -> sending Next
    private var following: Next?

    init(open: @escaping @Sendable () async throws -> sending Next) { self.open = open }

    /// Waits for the next element.
    ///
    /// - Returns: The element; `nil` at the end.
    /// - Throws: The reason why the reactor could not be found.
    public mutating func next() async throws -> Element? {
      if following == nil { following = try await open() }
      guard let element = try await following?() else {
        following = { nil }
        return nil
      }
      return element
    }
  }
}
