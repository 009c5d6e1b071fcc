import RepositoryCore

/// The rows of a list: one view for each kind.
enum RowViews {
  static let file = #fileID

  static func row(_ row: ListRow) -> PageView.Row {
    let html: HTML =
      switch row {
      case .header(let header): Self.header(header)
      case .announcement(let one): announcement(one)
      case .advertisement: advertisement
      case .repository(let one, let star): repository(one, star)
      case .loadMore(let more): loadMore(more)
      case .placeholder(let number): placeholder(number)
      }
    return PageView.Row(id: row.id, html: html)
  }

  private static func header(_ header: ListRow.Header) -> HTML {
    let title =
      switch header.list {
      case .everything where header.text.isEmpty: "Most starred"
      case .everything: "Results for “\(header.text)”"
      case .own: "Last updated"
      }
    return """
      <li class="band header" id="list-header"><h2>\(title)</h2>\
      <span class="quiet">\(count(header))</span></li>
      """
  }

  private static func count(_ header: ListRow.Header) -> String {
    guard let count = header.count else { return "" }
    guard let total = header.total else { return "\(Formats.whole(count)) so far" }
    return count < total ? "\(Formats.whole(count)) of \(Formats.whole(total))" : "all of them"
  }

  private static func announcement(_ one: Announcement) -> HTML {
    """
    <li class="band announcement" id="announcement-\(one.id)"><span class="mark" aria-hidden="true">\
    ✦</span><span class="news"><span class="unseen">Announcement: </span>\(one.text)</span>\
    <button class="close" form="act" formaction="/actions/dismiss-announcement" name="announcement" \
    value="\(one.id)" aria-label="Close: \(one.text)"><span aria-hidden="true">✕</span></button></li>
    """
  }

  private static let advertisement: HTML = """
    <li class="band advertisement" id="advertisement"><aside aria-label="Advertisement">\
    <a href="/advertisement"><span class="tag">Ad</span><span><b>One way for every change</b>\
    <span class="quiet">Actions in, states out, nothing else.</span></span>\
    <span class="arrow" aria-hidden="true">›</span></a></aside></li>
    """

  private static func repository(_ one: Repository, _ star: ListRow.Star) -> HTML {
    let summary = one.summary ?? "No description"
    return """
      <li class="row" id="row-\(one.id)"><a class="row-link" href="/repositories/\(one.id)">\
      <span class="name"><span class="owner">\(one.id.owner) /</span> <b>\(one.id.name)</b></span>\
      <span class="summary\(one.summary == nil ? " quiet" : "")" dir="auto">\(summary)</span>\
      <span class="facts">\(language(one))<span>★ \(Formats.count(one.stars))</span>\
      <span class="late">Updated \(Formats.day(one.updated))</span></span></a>\
      \(self.star(one.id, star))</li>
      """
  }

  static func star(_ id: RepositoryID, _ star: ListRow.Star) -> HTML {
    let action = star == .on ? "unfavour" : "favour"
    let waiting: HTML = star == .waiting ? " title=\"Waits for the login\"" : .none
    return """
      <button class="star\(star == .waiting ? " waiting" : "")" id="star-\(id)" form="act" \
      formaction="/actions/\(action)" name="repository" value="\(id)" \
      aria-pressed="\(star == .on ? "true" : "false")" aria-label="Favourite \(id)"\(waiting)>\
      <span aria-hidden="true">\(star == .on ? "★" : "☆")</span></button>
      """
  }

  static func language(_ one: Repository) -> HTML {
    guard let language = one.language else { return .none }
    let name = language.lowercased().replacing("+", with: "p").filter { $0.isASCII && $0.isLetter }
    return "<span class=\"lang lang-\(name)\">\(language)</span>"
  }

  private static func loadMore(_ more: ListRow.LoadMore) -> HTML {
    let content: HTML =
      switch more {
      case .automatic(let list): button(list, " data-auto")
      case .manual(let list): button(list, .none)
      case .loading:
        """
        <button type="button" class="wide" aria-disabled="true" id="load-more">Loading more…</button>
        """
      case .end: "<p class=\"quiet end\">That is all.</p>"
      }
    return "<li class=\"band more\" id=\"list-end\">\(content)</li>"
  }

  private static func button(_ list: ListName, _ attribute: HTML) -> HTML {
    """
    <button class="wide" form="act" formaction="/actions/more" name="list" \
    value="\(list.rawValue)" id="load-more"\(attribute)>Load more</button>
    """
  }

  private static func placeholder(_ number: Int) -> HTML {
    """
    <li class="row placeholder" aria-hidden="true"><span class="row-link">\
    <span class="name bone w\(number % 3)"></span><span class="summary bone w\((number + 1) % 3)">\
    </span><span class="facts bone w3"></span></span></li>
    """
  }
}
