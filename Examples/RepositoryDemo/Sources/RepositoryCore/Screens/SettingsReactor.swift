package import Reactor

/// One visitor's settings.
package actor SettingsReactor: Reactor {
  package enum Theme: String, CaseIterable, Sendable { case system, light, dark }

  package enum Action: Sendable, Equatable {
    case setTheme(Theme)
    case setNotices(Bool)
  }

  package enum Mutation: Sendable, Equatable {
    case setTheme(Theme)
    case setNotices(Bool)
    case acknowledge(String)
  }

  package struct State: Sendable, Equatable {
    package var theme = Theme.system
    /// Whether to show notices.
    package var showsNotices = false
    /// Fires once for each change, also if the value stays the same.
    @Pulse package var saved: String?

    package init() {}
  }

  nonisolated package let initialState = State()
  nonisolated package let pipeline = Pipeline()

  package init() {}

  package func mutate(action: Action) -> MutationStream<Mutation> {
    switch action {
    case .setTheme(let theme): .of(.setTheme(theme), .acknowledge("The colours are saved."))
    case .setNotices(let isOn):
      .of(.setNotices(isOn), .acknowledge(isOn ? "Notices are on." : "Notices are off."))
    }
  }

  package func reduce(state: inout State, mutation: Mutation) {
    switch mutation {
    case .setTheme(let theme): state.theme = theme
    case .setNotices(let isOn): state.showsNotices = isOn
    case .acknowledge(let text): state.saved = text
    }
  }
}
