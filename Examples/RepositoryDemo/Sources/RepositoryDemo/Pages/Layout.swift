import RepositoryCore

/// The parts around every page.
enum Layout {
  /// The view of a page: the surrounding parts and the page's own.
  static func view(_ look: Look) -> PageView {
    var view = PageView(title: "")
    view.regions["tabs"] = tabs(look)
    view.regions["advertisement"] = advertisement(look)
    let shell = look.shell
    view.regions["toast"] = shell.answer.map { toast($0, number: shell.answers) } ?? HTML.none
    view.regions["notice"] = shell.answer == nil ? notice(shell.news) : HTML.none
    view.regions["banner"] = banner(look)
    view.values["theme"] = look.settings.theme.rawValue
    switch look.route {
    case .repositories: RepositoriesPage.add(to: &view, look)
    case .favourites: FavouritesPage.add(to: &view, look)
    case .settings: SettingsPage.add(to: &view, look)
    case .login: LoginPage.add(to: &view, look)
    case .detail: DetailPage.add(to: &view, look)
    case .catalogue: view.title = "Catalogue"
    case .inside: view.title = "Inside"
    }
    return view
  }

  /// A whole page.
  static func page(_ view: PageView, _ look: Look, _ body: HTML, isLive: Bool = true) -> HTML {
    let waits = look.list.activity != nil || look.detail?.isLoading == true
    // Without scripts, a page that is loading reloads itself.
    let again: HTML =
      waits ? "<noscript><meta http-equiv=\"refresh\" content=\"1\"></noscript>" : .none
    // On a page that is not live, they would never disappear.
    let toast: HTML = isLive ? view.regions["toast"] ?? .none : .none
    let notice: HTML = isLive ? view.regions["notice"] ?? .none : .none
    return """
      <!doctype html>
      <html lang="en" data-theme="\(look.settings.theme.rawValue)">
      <head><meta charset="utf-8"><title>\(view.windowTitle)</title>
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <meta name="color-scheme" content="light dark">
      <link rel="icon" href="data:,"><link rel="stylesheet" href="\(Assets.style.path)">\(again)
      <script src="\(Assets.script.path)" defer></script></head>
      <body data-seen="\(isLive ? view.digest : "")">
      <a class="skip" href="#main">Skip to the content</a>
      <header class="top"><nav aria-label="Screens">\(region("tabs", view, "tabs"))</nav></header>
      \(region("advertisement", view))
      <main id="main" tabindex="-1">\(body)</main>
      <form id="act" method="post" action="/actions/none" hidden><input type="hidden" name="token" \
      value="\(look.token)"><input type="hidden" name="back" value="\(look.path)"></form>
      <div id="banner" role="status">\(view.regions["banner"] ?? .none)</div>
      <div id="toast" role="status">\(toast)</div>
      <div id="notice">\(notice)</div>
      <p id="away" role="status" hidden>The connection is gone. This page comes back by itself.\
      <span id="unsent" hidden> What you have pressed is sent then.</span></p>
      </body></html>
      """
  }

  static func body(_ view: PageView, _ look: Look, next: String = "/") -> HTML {
    switch look.route {
    case .repositories: RepositoriesPage.body(view)
    case .favourites: FavouritesPage.body(view)
    case .settings: SettingsPage.body(view)
    case .login: LoginPage.body(view, look, next: next)
    case .detail(let id): DetailPage.body(view, id)
    case .catalogue, .inside: .none
    }
  }

  /// The status of a list, announced by screen readers as it changes, and the actions for it.
  static func status(_ view: PageView) -> HTML {
    """
    <div class="status"><div id="status" role="status">\(view.regions["status"] ?? .none)</div>\
    \(region("doing", view))</div>
    """
  }

  static func region(_ id: String, _ view: PageView, _ name: String = "") -> HTML {
    "<div id=\"\(id)\" class=\"\(name)\">\(view.regions[id] ?? .none)</div>"
  }

  static func rows(_ view: PageView) -> HTML {
    """
    <ol id="rows" class="rows" aria-label="\(view.title)">\((view.rows ?? []).map(\.html))</ol>
    """
  }

  // MARK: Regions

  static func tabs(_ look: Look) -> HTML {
    func tab(_ route: Route, _ title: HTML) -> HTML {
      let isHere = look.route == route
      return """
        <li><a href="\(route.path)"\(isHere ? " aria-current=\"page\"" as HTML : .none)>\(title)</a></li>
        """
    }
    let count = look.favourites.favourites.count
    let badge: HTML =
      count == 0 ? .none : " <span class=\"badge\">\(count)</span>"
    let user: HTML =
      look.login.user.map { user in
        """
        <li class="user"><a href="/settings"><span class="unseen">Account of</span>\
         \(user.name)</a></li>
        """
      }
      ?? "<li class=\"user\"><a href=\"/login?next=\(look.path)\">Log in</a></li>"
    return """
      <ul>\(tab(.repositories, "Repositories"))\(tab(.favourites, "Favourites\(badge)"))\
      \(tab(.settings, "Settings"))\(user)</ul>
      """
  }

  static func advertisement(_ look: Look) -> HTML {
    guard look.shell.showsAdvertisement, look.route == .repositories else { return .none }
    return """
      <aside class="advertisement" aria-label="Advertisement"><a href="/catalogue">\
      <b>All components in all their states</b><span>Have a look at the catalogue. This note goes \
      away when you have.</span></a></aside>
      """
  }

  /// An answer to an action, with a button that undoes it.
  static func toast(_ toast: ShellReactor.Toast, number: Int) -> HTML {
    let undo: HTML =
      toast.undo == nil
      ? .none
      : """
      <button form="act" formaction="/actions/undo" name="change" value="\(number)" \
      id="undo">Undo</button>
      """
    return """
      <p class="toast"><span>\(toast.text)</span>\(undo)<button form="act" \
      formaction="/actions/dismiss" id="dismiss" aria-label="Close">✕</button></p>
      """
  }

  /// A notice: shown, but not announced by screen readers.
  static func notice(_ text: String?) -> HTML {
    text.map { toast(.init($0), number: 0) } ?? HTML.none
  }

  static func banner(_ look: Look) -> HTML {
    if look.shell.isClosing {
      return "<p class=\"banner\">The service starts anew. This page comes back by itself.</p>"
    }
    // Not shown if the page reports the failure itself.
    let failure = look.route == .repositories ? look.list.failure?.error : look.detail?.failure
    return look.shell.isOffline && failure != .offline
      ? "<p class=\"banner\">Offline: there is no way to GitHub. What is here stays.</p>" : .none
  }
}
