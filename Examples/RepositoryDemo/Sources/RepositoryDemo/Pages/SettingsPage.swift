import Foundation
import RepositoryCore

/// The visitor's settings, and the simulated faults of the fake.
enum SettingsPage {
  static let file = #fileID

  static func add(to view: inout PageView, _ look: Look) {
    view.title = "Settings"
    view.regions["settings"] = settings(look)
    view.regions["weather"] = weather(look.weather)
  }

  private static func settings(_ look: Look) -> HTML {
    let themes = SettingsReactor.Theme.allCases.map { theme in
      choice("theme", theme.rawValue, theme.rawValue.capitalized, look.settings.theme == theme)
    }
    let announcements = [
      choice("announcements", "on", "On", look.settings.showsAnnouncements),
      choice("announcements", "off", "Off", !look.settings.showsAnnouncements),
    ]
    let account: HTML =
      look.login.user.map { user in
        """
        <section class="card"><h2>Account</h2><p>You are <b>\(user.name)</b>.</p><p class="buttons">
        <button form="act" formaction="/actions/log-out" id="log-out">Log out</button>
        <button form="act" formaction="/actions/log-out-everywhere" id="log-out-everywhere">\
        Log out everywhere</button></p></section>
        """
      } ?? .none
    return """
      <section class="card"><h2 id="colours">Colours</h2>
      <div class="choices" role="group" aria-labelledby="colours">\(themes)</div></section>
      <section class="card"><h2 id="announcements">Announcements</h2>
      <p class="quiet">Now and then something happens somewhere, and the list shows it as a row.</p>
      <div class="choices" role="group" aria-labelledby="announcements">\(announcements)</div></section>\(account)
      <section class="card"><h2>Start over</h2><p class="quiet">The list forgets what it has, and \
      loads as it does for somebody new.</p><p class="buttons"><button form="act" \
      formaction="/actions/start-over" id="start-over">Start over</button></p></section>
      """
  }

  static func weather(_ weather: Weather?) -> HTML {
    guard let weather else { return .none }
    let choices = Weather.allCases.map { one in
      choice("weather", one.rawValue, title(one), one == weather)
    }
    return """
      <section class="card"><h2 id="weather-title">What goes wrong</h2>
      <p class="quiet">GitHub is part of this program here. Choose how it behaves, for everybody.</p>
      <div class="choices" role="group" aria-labelledby="weather-title">\(choices)</div></section>
      """
  }

  private static func title(_ weather: Weather) -> String {
    switch weather {
    case .fine: "Nothing"
    case .offline: "Offline"
    case .slow: "Slow"
    case .failing: "Errors"
    case .garbled: "Broken JSON"
    case .limited: "Rate limit"
    }
  }

  private static func choice(
    _ name: String, _ value: String, _ title: String, _ isChosen: Bool
  ) -> HTML {
    """
    <button form="act" formaction="/actions/\(name)" name="\(name)" value="\(value)" \
    id="\(name)-\(value)" aria-pressed="\(isChosen ? "true" : "false")">\(title)</button>
    """
  }

  static func body(_ view: PageView) -> HTML {
    """
    <h1>Settings</h1>
    \(Layout.region("settings", view))
    \(Layout.region("weather", view))
    """
  }
}
