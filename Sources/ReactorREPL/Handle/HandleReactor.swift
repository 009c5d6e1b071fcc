public import Reactor
public import ReactorComposition
import Synchronization

/// A reactor of this process that follows a reactor behind a handle, of a registry or of a cluster:
/// the reactor of a ``HandleScreen``.
///
/// Its state has the newest state that has arrived from there. Its actions are sent through the
/// handle, one after the other.
///
/// **Read your writes**: when the work of ``Action/perform(_:)`` has ended, or ``ask(_:)`` has
/// returned, the state contains what the action has changed. Other changes arrive as soon as the
/// handle delivers them.
///
/// **Failure**: an action that could not be sent, or did not finish, ends with a ``HandleError``.
/// If the states cannot be read, ``State/problem`` has the reason; reading is tried again each
/// second.
public actor HandleReactor<Handle: ReactorHandle>: Reactor, LanedReactor {
  /// The actions.
  public enum Action: Sendable {
    /// Sends an action through the handle, and waits for its outcome and for the state after it.
    case perform(Handle.Action)
    /// Follows the states from now on; the reactor sends it itself.
    case follow(FollowNumber)
  }

  /// The changes of the state.
  public enum Mutation: Sendable {
    /// A state has arrived.
    case arrived(Handle.State, FollowNumber)
    /// The states cannot be read, for this reason.
    case lost(String, FollowNumber)
  }

  /// The state: what is known of the reactor behind the handle.
  public struct State: Sendable {
    /// Its newest known state; `nil` until one has arrived.
    public fileprivate(set) var value: Handle.State?
    /// Why states do not arrive, in one line; `nil` if they do.
    public fileprivate(set) var problem: String?
    /// Fires when states cease to arrive, with the reason.
    @Pulse public fileprivate(set) var lost: String?
    fileprivate var followed = FollowNumber(0)
  }

  /// Numbers the subscriptions to the states: a later one begins with what was acknowledged before.
  public struct FollowNumber: Hashable, Sendable {
    fileprivate let number: Int

    fileprivate init(_ number: Int) { self.number = number }
  }

  /// The handle.
  public nonisolated let handle: Handle
  /// The state before one has arrived.
  public let initialState = State()
  /// The pipeline.
  public let pipeline = Pipeline(first: .follow(FollowNumber(0)))
  private let clock: any Clock<Duration>
  private let lastFollow = Atomic(0)

  /// Creates a reactor that follows the states of a handle's reactor.
  ///
  /// - Parameters:
  ///   - handle: The handle, such as `registry["lobby"]`.
  ///   - clock: Measures the time until reading is tried again.
  public init(_ handle: Handle, clock: any Clock<Duration> = ContinuousClock()) {
    self.handle = handle
    self.clock = clock
  }

  /// Actions are sent in order; a subscription replaces the one before it.
  public func lane(for action: Action) -> Lane? {
    switch action {
    case .perform: .sequential("perform")
    case .follow: .latest("follow")
    }
  }

  /// Sends, or follows.
  public func mutate(action: Action) -> MutationStream<Mutation> {
    switch action {
    case .perform(let action):
      .run { [self, handle] _ in
        let outcome: ActionOutcome
        do {
          outcome = try await handle.outcome(of: action)
        } catch let error as CancellationError {
          throw error
        } catch { throw HandleError(error) }
        await catchUp()
        try HandleError.check(outcome)
      }
    case .follow(let number):
      .run { [handle, clock] emit in
        while true {
          var problem = "the reactor has ended"
          do {
            for try await state in handle.state { await emit(.arrived(state, number)) }
          } catch { problem = ReportText.text(ofError: error) }
          try Task.checkCancellation()
          await emit(.lost(problem, number))
          try await clock.sleep(for: .seconds(1))
        }
      }
      .cancelledByDrain()
    }
  }

  /// Takes a state of the newest subscription only.
  public func reduce(state: inout State, mutation: Mutation) {
    switch mutation {
    case .arrived(let value, let number):
      guard number.number >= state.followed.number else { return }
      (state.value, state.problem, state.followed) = (value, nil, number)
    case .lost(let problem, let number):
      guard number.number >= state.followed.number else { return }
      if state.problem == nil { state.lost = problem }
      (state.problem, state.followed) = (problem, number)
    }
  }

  /// Subscribes to the states anew, and returns when the first one has arrived, or cannot be read.
  ///
  /// It contains everything that was acknowledged before the call.
  ///
  /// **If the task is cancelled**, or the reactor is stopped, this returns at once.
  nonisolated(nonsending) public func catchUp() async {
    let number = FollowNumber(lastFollow.add(1, ordering: .relaxed).newValue)
    guard !send(.follow(number)).isRefused else { return }
    for await state in self.state where state.followed.number >= number.number { return }
  }

  /// Asks through the handle, and returns when the state contains what the answer has acknowledged.
  ///
  /// **If the task is cancelled**, the action is cancelled, as the handle does it.
  ///
  /// - Parameter action: Makes the action from the reply that it carries.
  /// - Returns: The answer.
  /// - Throws: The ``/Reactor/ExpectedError`` that it was answered with, `CancellationError`, or
  ///   ``HandleError``.
  nonisolated(nonsending) public func ask<Value: Sendable & Codable>(
    _ action: (Reply<Value>) -> Handle.Action
  ) async throws -> Value {
    do {
      let value = try await handle.ask(action)
      await catchUp()
      return value
    } catch let error as CancellationError {
      throw error
    } catch let error as any ExpectedError {
      throw error
    } catch { throw HandleError(error) }
  }
}
