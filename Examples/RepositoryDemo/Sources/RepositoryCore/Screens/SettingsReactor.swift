package import Reactor

/// One visitor's settings.
package actor SettingsReactor: Reactor {
  package enum Theme: String, CaseIterable, Sendable { case system, light, dark }

  package enum Action: Sendable, Equatable {
    case setTheme(Theme)
    case setAnnouncements(Bool)
  }

  package enum Mutation: Sendable, Equatable {
    case setTheme(Theme)
    case setAnnouncements(Bool)
    case acknowledge(String)
  }

  package struct State: Sendable, Equatable {
    package var theme = Theme.system
    /// Whether the list shows announcements.
    package var showsAnnouncements = true
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
    case .setAnnouncements(let isOn):
      .of(
        .setAnnouncements(isOn),
        .acknowledge(isOn ? "Announcements are on." : "Announcements are off."))
    }
  }

  package func reduce(state: inout State, mutation: Mutation) {
    switch mutation {
    case .setTheme(let theme): state.theme = theme
    case .setAnnouncements(let isOn): state.showsAnnouncements = isOn
    case .acknowledge(let text): state.saved = text
    }
  }
}

extension SettingsReactor: AppScreen {
  package static func action(for action: AppAction) -> Action? {
    switch action {
    case .launched, .visitor, .opened, .pressed, .favourite, .unfavourite, .favouriteEnded,
      .announcement, .reachable, .loggedOutEverywhere, .closing:
      nil
    }
  }
}
