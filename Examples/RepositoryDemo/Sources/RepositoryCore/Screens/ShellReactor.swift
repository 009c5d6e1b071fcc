package import Reactor
import ReactorComposition
import ReactorJournal

/// The frame around every screen of a session: answers to what the visitor does, banners, and stars
/// that wait for a login.
package actor ShellReactor: LanedReactor, ActionTransforming {
  /// A message that is shown for a moment.
  package struct Toast: Sendable, Equatable {
    package var text: String
    /// The action that undoes the change in the message.
    package var undo: Undo?

    package init(_ text: String, undo: Undo? = nil) { (self.text, self.undo) = (text, undo) }
  }

  /// The action that undoes a change, and the change's user.
  package struct Undo: Sendable, Equatable {
    package var user: String
    package var change: FavouritesReactor.Action

    package init(_ change: FavouritesReactor.Action, of user: String) {
      (self.user, self.change) = (user, change)
    }
  }

  package enum Action: Sendable, Equatable {
    /// Requires a login; without one, waits for it and then continues.
    case favour(Repository)
    case unfavour(RepositoryID)
    /// Undoes a change that an answer named; the value is the answer's number.
    case undo(Int)
    /// Undoes the newest change of this user, whichever session made it.
    case undoLast
    /// An answer to an action of this visitor; the newest replaces the previous one.
    case say(Toast)
    case dismissToast
    case setReachable(Bool)
    /// Resets the lists, as for a new visitor.
    case startOver
    /// The service is shutting down.
    case close
  }

  package enum Mutation: Sendable, Equatable {
    case answer(Toast?)
    case wait(RepositoryID)
    case forget(RepositoryID)
    case setOffline(Bool)
    case startedOver
    case close
  }

  package struct State: Sendable, Equatable {
    package var answer: Toast?
    /// The number of answers so far, which is the number of the newest.
    package var answers = 0
    /// The actions that undo the changes in the newest answers, by number.
    package var undos: [Int: Undo] = [:]
    /// The repositories that are starred after the login.
    package var waitsForLogin: [RepositoryID] = []
    package var isOffline = false
    package var isClosing = false
    /// How often the lists have been reset; each time they have new streams.
    package var starts = 0

    /// A page may be a few answers behind.
    package static let undoLimit = 20

    package init(isOffline: Bool = false) { self.isOffline = isOffline }
  }

  private enum Key: Hashable, Sendable { case answers, login, favourites, start }

  nonisolated package let initialState: State
  nonisolated package let pipeline: Pipeline
  /// The other screens of this session.
  nonisolated package let screens: Screens
  private let favourites: FavouritesReactor.Registry
  private let clock: any Clock<Duration>

  package init(
    _ screens: Screens, favourites: FavouritesReactor.Registry, isOffline: Bool = false,
    clock: any Clock<Duration>
  ) {
    (self.screens, self.favourites, self.clock) = (screens, favourites, clock)
    initialState = State(isOffline: isOffline)
    // A visitor does not need more pending actions.
    pipeline = Pipeline(inboxLimit: 100)
  }

  /// Creates the shell of a session that begins, and joins its screens.
  package static func launched(
    _ screens: Screens, favourites: FavouritesReactor.Registry, isOffline: Bool = false,
    clock: any Clock<Duration>
  ) -> ShellReactor {
    let shell = ShellReactor(screens, favourites: favourites, isOffline: isOffline, clock: clock)
    screens.app.join(shell)
    screens.app.send(.launched)
    return shell
  }

  /// Acknowledgements of the settings are shown as answers.
  package func transform(action: Actions) -> some AsyncSequence<Action, Never> {
    let saved = screens.settings.state.pulses(of: \.$saved)
    return action.merging(saved.map { .say(Toast($0 ?? "Saved.")) })
  }

  package func lane(for action: Action) -> Lane? {
    switch action {
    case .say: .latest(Key.answers)
    // No action cancels another: every pressed star is set.
    case .favour: .concurrent(Key.login, atMost: 20, waitingLimit: 20)
    case .unfavour, .undo, .undoLast:
      .sequential(Key.favourites, waitingLimit: 20)
    case .startOver: .sequential(Key.start, waitingLimit: 1, dropsOldest: true)
    default: nil
    }
  }

  package func mutate(action: Action) -> MutationStream<Mutation> {
    switch action {
    case .favour(let repository): return favour(repository)
    case .unfavour(let id):
      return .run { _ in
        guard let user = await self.screens.login.currentState.user else { return }
        // The favourite before the removal, to restore it.
        let favourite = try await self.favourites.with(user.name) {
          await $0.currentState.favourites.first { $0.id == id }
        }
        let outcome = try await self.favourites[user.name].outcome(of: .remove(id))
        let undo = favourite.map { Undo(.putBack($0), of: user.name) }
        self.send(.say(Self.toast("Removed \(id.name).", outcome, id, undo: undo)))
      }
    case .undo(let number):
      guard let undo = currentState.undos[number] else {
        return .run { _ in self.send(.say(Toast("That is too long ago to be taken back."))) }
      }
      return .run { _ in
        guard await self.screens.login.currentState.user?.name == undo.user else { return }
        let outcome = try await self.favourites[undo.user].outcome(of: undo.change)
        self.send(.say(Self.toast("Taken back.", outcome, undo.change.id, undo: nil)))
      }
    case .undoLast:
      return .run { _ in
        guard let user = await self.screens.login.currentState.user else { return }
        let hasUndone = try await self.favourites.with(user.name) { try await $0.undo() }
        self.send(.say(Toast(hasUndone ? "Taken back." : "There is nothing to take back.")))
      }
    case .say(let toast):
      return .run { [clock] emit in
        await emit(.answer(toast))
        try await clock.sleep(for: .seconds(4))
        await emit(.answer(nil))
      }
    case .dismissToast:
      cancel(lane: Key.answers)
      return .just(.answer(nil))
    case .setReachable(let isReachable):
      return currentState.isOffline == isReachable ? .just(.setOffline(!isReachable)) : .empty
    case .startOver:
      if currentState.isClosing { return .empty }
      return .run { emit in
        let visitor = await self.screens.lists.currentState.visitor
        await self.screens.lists.restart(from: ListsState(visitor: visitor))
        self.screens.app.send(.launched)
        self.screens.app.send(.opened(.everything))
        await emit(.startedOver)
      }
    case .close:
      cancel(lane: Key.answers)
      cancel(lane: Key.login)
      return .of(.answer(nil), .close)
    }
  }

  package func reduce(state: inout State, mutation: Mutation) {
    switch mutation {
    case .answer(let toast):
      state.answer = toast
      guard let toast else { return }
      state.answers += 1
      state.undos[state.answers] = toast.undo
      state.undos[state.answers - State.undoLimit] = nil
    case .wait(let id): state.waitsForLogin.append(id)
    case .forget(let id): state.waitsForLogin.removeAll { $0 == id }
    case .setOffline(let isOffline): state.isOffline = isOffline
    case .startedOver: state.starts += 1
    case .close: state.isClosing = true
    }
  }

  // MARK: Effects

  private func favour(_ repository: Repository) -> MutationStream<Mutation> {
    .run { emit in
      let (login, id) = (self.screens.login, repository.id)
      // The stream is created before the state is read, so that no login in between is missed.
      let logins = login.actions { if case .loggedIn = $0 { true } else { false } }
      var user = await login.currentState.user
      if user == nil {
        // Pressing twice counts once.
        guard !self.currentState.waitsForLogin.contains(id) else { return }
        await emit(.wait(id))
        let answer = await logins.next(within: .seconds(600), clock: self.clock)
        if case .loggedIn(let one) = answer { user = one }
      }
      if let user {
        let outcome = try await self.favourites[user.name].outcome(of: .add(repository))
        let undo = Undo(.remove(id), of: user.name)
        self.send(.say(Self.toast("Added \(id.name).", outcome, id, undo: undo)))
      }
      await emit(.forget(id))
      self.screens.app.send(.favouriteEnded(id))
    }
  }

  /// The message for the outcome of a change; only a change that was made is reported as made.
  private static func toast(
    _ done: String, _ outcome: ActionOutcome, _ id: RepositoryID, undo: Undo?
  ) -> Toast {
    guard case .failed(let error) = outcome else {
      return outcome.isFinished
        ? Toast(done, undo: undo) : Toast("That could not be kept. Try again.")
    }
    return switch error as? FavouritesReactor.Refusal {
    case .isThere: Toast("\(id.name) is a favourite already.")
    case .isNotThere: Toast("\(id.name) is no favourite any more.")
    case .isFull:
      Toast("There is room for \(FavouritesReactor.limit) favourites. Remove one first.")
    case nil: Toast("That could not be kept. Try again.")
    }
  }
}

extension ShellReactor: AppScreen {
  package static func action(for action: AppAction) -> Action? {
    switch action {
    case .favourite(let repository, _): .favour(repository)
    case .unfavourite(let id): .unfavour(id)
    case .reachable(let isReachable): .setReachable(isReachable)
    case .closing: .close
    case .launched, .visitor, .opened, .pressed, .favouriteEnded, .announcement,
      .loggedOutEverywhere:
      nil
    }
  }
}
