import RepositoryCore

/// The parts around every page.
enum Layout {
  static let file = #fileID

  /// The view of a page: the surrounding parts and the page's own.
  static func view(_ look: Look) -> PageView {
    var view = PageView(title: "")
    view.regions["tabs"] = tabs(look)
    (view.route, view.address, view.index) = (look.route, look.address, look.place.index)
    let shell = look.shell
    view.regions["toast"] = shell.answer.map { toast($0, number: shell.answers) } ?? HTML.none
    view.regions["banner"] = banner(look)
    view.values["theme"] = look.settings.theme.rawValue
    switch look.route {
    case .everything: RepositoriesPage.add(to: &view, look, .everything)
    case .own: RepositoriesPage.add(to: &view, look, .own)
    case .favourites: FavouritesPage.add(to: &view, look)
    case .settings: SettingsPage.add(to: &view, look)
    case .login: LoginPage.add(to: &view, look)
    case .detail: DetailPage.add(to: &view, look)
    case .advertisement: view.title = AdvertisementPage.title
    case .catalogue: view.title = "Catalogue"
    case .inside: view.title = "Inside"
    }
    return view
  }

  /// A whole page.
  static func page(_ view: PageView, _ look: Look, _ body: HTML, isLive: Bool = true) -> HTML {
    let waits =
      ListName.allCases.contains { look.lists[$0].activity != nil }
      || look.detail?.isLoading == true
    // Without scripts, a page that is loading reloads itself.
    let again: HTML =
      waits ? "<noscript><meta http-equiv=\"refresh\" content=\"1\"></noscript>" : .none
    // On a page that is not live, it would never disappear.
    let toast: HTML = isLive ? view.regions["toast"] ?? .none : .none
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
      <main id="main" tabindex="-1">\(body)</main>
      <form id="act" method="post" action="/actions/none" hidden><input type="hidden" name="token" \
      value="\(look.token)"><input type="hidden" name="back" value="\(look.address)">\
      <input type="hidden" name="window" value="\(look.place.window.text)">\
      <input type="hidden" name="index" value="\(look.place.index)"></form>
      <div id="banner" role="status">\(view.regions["banner"] ?? .none)</div>
      <div id="toast" role="status">\(toast)</div>
      <p id="away" role="status" hidden>The connection is gone. This page comes back by itself.\
      <span id="unsent" hidden> What you have pressed is sent then.</span></p>
      </body></html>
      """
  }

  /// What is between the parts that every page has.
  static func body(_ view: PageView, _ look: Look) -> HTML {
    switch look.route {
    case .everything: RepositoriesPage.body(view)
    case .own: RepositoriesPage.ownBody(view)
    case .favourites: FavouritesPage.body(view)
    case .settings: SettingsPage.body(view)
    case .login(let next): LoginPage.body(view, look, next: next)
    case .detail(let id): DetailPage.body(view, id)
    case .advertisement: AdvertisementPage.body
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
    func tab(_ tab: Route.Tab, _ title: HTML) -> HTML {
      let here: HTML = look.route == tab.route ? " aria-current=\"page\"" : .none
      return """
        <li><a href="\(tab.route.path)" data-tab="\(tab.rawValue)"\(here)>\(title)</a></li>
        """
    }
    let count = look.favourites.favourites.count
    let badge: HTML =
      count == 0 ? .none : " <span class=\"badge\">\(count)</span>"
    let login =
      if case .login = look.route { look.route } else { Route.login(next: look.route.path) }
    let user: HTML =
      look.login.user.map { user in
        """
        <li class="user"><a href="/settings"><span class="unseen">Account of</span>\
         \(user.name)</a></li>
        """
      }
      ?? "<li class=\"user\"><a href=\"\(login.address)\">Log in</a></li>"
    return """
      <ul>\(tab(.everything, "Explore"))\(tab(.own, "Mine"))\
      \(tab(.favourites, "Favourites\(badge)"))\(tab(.settings, "Settings"))\(user)</ul>
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

  static func banner(_ look: Look) -> HTML {
    if look.shell.isClosing {
      return "<p class=\"banner\">The service starts anew. This page comes back by itself.</p>"
    }
    // Not shown if the page reports the failure itself.
    let failure =
      switch look.route {
      case .everything: look.lists.everything.failure?.error
      case .own: look.lists.own.failure?.error
      case .detail: look.detail?.failure
      default: GitHubError?.none
      }
    return look.shell.isOffline && failure != .offline
      ? "<p class=\"banner\">Offline: there is no way to GitHub. What is here stays.</p>" : .none
  }
}
