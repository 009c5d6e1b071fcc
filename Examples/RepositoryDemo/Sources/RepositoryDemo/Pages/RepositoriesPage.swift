import RepositoryCore

/// The pages with a list: all repositories, and the visitor's own.
enum RepositoriesPage {
  static let file = #fileID

  static func add(to view: inout PageView, _ look: Look, _ name: ListName) {
    let list = look.lists[name]
    switch name {
    case .everything:
      view.title = PageView.start
      view.values["q"] = list.text
    case .own: view.title = "Your repositories"
    }
    view.regions["status"] = status(list)
    view.regions["doing"] = doing(list, of: name)
    view.regions["more"] = more(list, of: name)
    view.rows = list.rows.map(RowViews.row)
  }

  /// The status that screen readers announce as it changes; a failure is an alert beside it.
  static func status(_ list: RepositoriesState) -> HTML {
    list.failure == nil ? "<p class=\"quiet\">\(line(list))</p>" : .none
  }

  static func doing(_ list: RepositoriesState, of name: ListName) -> HTML {
    if let failure = list.failure { return Failures.view(failure, of: name) }
    // The button stays while a load runs, and keeps the focus.
    return """
      <button class="small" form="act" formaction="/actions/refresh" name="list" \
      value="\(name.rawValue)" id="refresh">Refresh</button>
      """
  }

  private static func line(_ list: RepositoriesState) -> HTML {
    switch list.activity {
    case .first: return "Loading…"
    case .search: return "Searching for “\(list.text)”…"
    case .refresh: return "Refreshing…"
    case .more, nil: break
    }
    guard list.isLoaded else { return "Nothing loaded yet." }
    let what = list.text.isEmpty ? "" : " for “\(list.text)”"
    let number = list.total ?? list.repositories.count
    let noun = number == 1 ? "repository" : "repositories"
    // GitHub does not always send the number of all.
    return "\(Formats.whole(number))\(list.total == nil ? "+" : "") \(noun)\(what)"
  }

  /// What is shown in place of a list without rows.
  static func more(_ list: RepositoriesState, of name: ListName) -> HTML {
    guard list.isEmpty, list.failure == nil else { return .none }
    switch name {
    case .everything:
      return """
        <div class="empty"><p class="big" aria-hidden="true">⌕</p><h2>Nothing found</h2>
        <p class="quiet">No repository has all of these words. Try fewer.</p></div>
        """
    case .own:
      return """
        <div class="empty"><p class="big" aria-hidden="true">⌂</p><h2>No repositories yet</h2>
        <p class="quiet">What you publish on GitHub is here at the next refresh.</p></div>
        """
    }
  }

  static func body(_ view: PageView) -> HTML {
    """
    <h1 class="unseen">Repositories</h1>
    <form class="search" role="search" action="/" method="get">
      <input type="search" name="q" id="q" value="\(view.values["q"] ?? "")" maxlength="100"
        placeholder="Search repositories" aria-label="Search repositories" autocomplete="off">
      <button class="unseen">Search</button>
    </form>
    \(list(view))
    """
  }

  static func ownBody(_ view: PageView) -> HTML {
    """
    <h1>\(view.title)</h1>
    \(list(view))
    """
  }

  private static func list(_ view: PageView) -> HTML {
    """
    \(Layout.status(view))
    \(Layout.rows(view))
    \(Layout.region("more", view, "more"))
    """
  }
}
