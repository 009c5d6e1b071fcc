import RepositoryCore

/// The page with the list.
enum RepositoriesPage {
  static func add(to view: inout PageView, _ look: Look) {
    let list = look.list
    view.title = PageView.start
    view.values["q"] = list.text
    view.regions["status"] = status(list)
    view.regions["doing"] = doing(list)
    view.regions["more"] = more(list)
    view.rows =
      list.showsPlaceholders
      ? RowViews.placeholders(8)
      : list.rows.map { RowViews.row($0, isStarred: look.isStarred($0.id)) }
  }

  /// The status that screen readers announce as it changes; a failure is an alert beside it.
  static func status(_ list: RepositoriesState) -> HTML {
    list.failure == nil ? "<p class=\"quiet\">\(line(list))</p>" : .none
  }

  static func doing(_ list: RepositoriesState) -> HTML {
    if let failure = list.failure { return Failures.view(failure) }
    // The button stays while a load runs, and keeps the focus.
    return """
      <button class="small" form="act" formaction="/actions/refresh" id="refresh">Refresh</button>
      """
  }

  private static func line(_ list: RepositoriesState) -> HTML {
    switch list.activity {
    case .first: return "Loading…"
    case .search: return "Searching for “\(list.text)”…"
    case .refresh: return "Refreshing…"
    case .more, nil: break
    }
    guard let total = list.total else { return "Nothing loaded yet." }
    let what = list.text.isEmpty ? "" : " for “\(list.text)”"
    let noun = total == 1 ? "repository" : "repositories"
    return "\(Formats.whole(total)) \(noun)\(what)"
  }

  static func more(_ list: RepositoriesState) -> HTML {
    if list.isEmpty, list.failure == nil {
      return """
        <div class="empty"><p class="big" aria-hidden="true">⌕</p><h2>Nothing found</h2>
        <p class="quiet">No repository has all of these words. Try fewer.</p></div>
        """
    }
    if list.activity == .more, list.failure == nil {
      return """
        <button type="button" class="wide" aria-disabled="true" id="load-more">Loading more…</button>
        """
    }
    if list.canLoadMore {
      return """
        <button class="wide" form="act" formaction="/actions/more" id="load-more"\
        \(list.failure == nil ? " data-auto" : "")>Load more</button>
        """
    }
    let isEnd = list.next == nil && !list.rows.isEmpty && list.activity == nil
    return isEnd ? "<p class=\"quiet end\">That is all.</p>" : .none
  }

  static func body(_ view: PageView) -> HTML {
    """
    <h1 class="unseen">Repositories</h1>
    <form class="search" role="search" action="/" method="get">
      <input type="search" name="q" id="q" value="\(view.values["q"] ?? "")" maxlength="100"
        placeholder="Search repositories" aria-label="Search repositories" autocomplete="off">
      <button class="unseen">Search</button>
    </form>
    \(Layout.status(view))
    \(Layout.rows(view))
    \(Layout.region("more", view, "more"))
    """
  }
}
