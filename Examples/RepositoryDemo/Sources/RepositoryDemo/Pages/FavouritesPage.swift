import RepositoryCore

/// The page of the user's favourites.
enum FavouritesPage {
  static let file = #fileID

  static func add(to view: inout PageView, _ look: Look) {
    view.title = "Favourites"
    let all = look.favourites.favourites
    view.rows = all.map { RowViews.row(.repository($0.repository, .on)) }
    let count: HTML =
      all.isEmpty
      ? "The newest first" : "\(all.count) \(all.count == 1 ? "repository" : "repositories")"
    view.regions["status"] = "<p class=\"quiet\">\(count)</p>"
    // Shown for an empty list as well: the removal of the last favourite can be undone.
    view.regions["doing"] =
      look.lists.visitor.user == nil
      ? HTML.none
      : """
      <button class="small" form="act" formaction="/actions/undo-last" id="undo-last">Undo last change</button>
      """
    view.regions["more"] = more(look)
  }

  private static func more(_ look: Look) -> HTML {
    if look.lists.visitor.user == nil {
      return """
        <div class="empty"><p class="big" aria-hidden="true">☆</p><h2>Your favourites</h2>
        <p class="quiet">Log in, and they are kept here, on every screen and in every window.</p>
        <a class="button" href="/login?next=/favourites">Log in</a></div>
        """
    }
    if !look.favourites.favourites.isEmpty { return .none }
    return """
      <div class="empty"><p class="big" aria-hidden="true">☆</p><h2>No favourites yet</h2>
      <p class="quiet">Give a repository a star, and it is here at once.</p>
      <a class="button" href="/">Find repositories</a></div>
      """
  }

  static func body(_ view: PageView) -> HTML {
    """
    <h1>Favourites</h1>
    \(Layout.status(view))
    \(Layout.rows(view))
    \(Layout.region("more", view, "more"))
    """
  }
}
