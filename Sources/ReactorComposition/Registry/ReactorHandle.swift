public import Reactor

/// A reactor that may have to be found first: one of a registry here, or one on another host.
///
/// Everything can fail, since the reactor may have to be made for it, or be out of reach.
public protocol ReactorHandle<Action, State>: Sendable {
  /// What the reactor takes.
  associatedtype Action: Sendable
  /// What it shows.
  associatedtype State: Sendable
  /// What it says beside that.
  associatedtype Output: Sendable

  /// Sends an action; returns once it has been accepted.
  ///
  /// Two actions that are sent one after the other are taken in that order.
  ///
  /// - Parameter action: The action.
  /// - Throws: Why it was not accepted.
  nonisolated(nonsending) func send(_ action: Action) async throws

  /// Sends an action, and returns how its own work ended; see ``/Reactor/Reactor/outcome(of:)``.
  ///
  /// - Parameter action: The action.
  /// - Returns: How it ended.
  /// - Throws: Why it was not sent.
  nonisolated(nonsending) func outcome(of action: Action) async throws -> ActionOutcome

  /// Sends an action that carries a reply, and returns the answer.
  ///
  /// See ``/Reactor/Reactor/ask(_:)``.
  ///
  /// - Parameter action: Makes the action from the reply that it is to carry.
  /// - Returns: The answer.
  /// - Throws: What it was answered with; ``/Reactor/AskError``; why it was not sent.
  nonisolated(nonsending) func ask<Value: Sendable & Codable>(
    _ action: (Reply<Value>) -> Action
  ) async throws -> Value

  /// The states, the current one first; the reactor is in use while they are iterated.
  var state: HandleStream<State> { get }

  /// The outputs from the moment on at which they begin to be iterated; the same holds.
  var outputs: HandleStream<Output> { get }
}

/// What a ``ReactorHandle`` shows, as an async sequence.
///
/// The reactor is found when an iterator is asked for its first element, and is in use until that
/// iterator goes. **Ends** when the reactor does, or the iterating task is cancelled; fails if the
/// reactor cannot be found.
public struct HandleStream<Element: Sendable>: AsyncSequence, Sendable {
  /// Finding the reactor may fail.
  public typealias Failure = any Error
  /// Waits for the next element.
  public typealias Next = () async throws -> Element?

  let open: @Sendable () async throws -> sending Next

  /// A stream, for types of handles.
  ///
  /// - Parameter open: Finds the reactor, and returns what gives the elements one by one; called
  ///   once by each iterator, which releases that in the end.
  public init(_ open: @escaping @Sendable () async throws -> sending Next) { self.open = open }

  /// Begins to iterate.
  ///
  /// - Returns: An iterator with a place of its own.
  public func makeAsyncIterator() -> Iterator { Iterator(open: open) }

  /// One observer's place.
  public struct Iterator: AsyncIteratorProtocol {
    let open: @Sendable () async throws -> sending Next
    private var following: Next?

    init(open: @escaping @Sendable () async throws -> sending Next) { self.open = open }

    /// Waits for the next element.
    ///
    /// - Returns: The element; `nil` at the end.
    /// - Throws: Why the reactor could not be found.
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
