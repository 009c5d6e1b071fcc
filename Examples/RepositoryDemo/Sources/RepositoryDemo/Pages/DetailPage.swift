import RepositoryCore

/// The page of one repository.
enum DetailPage {
  static let file = #fileID

  static func add(to view: inout PageView, _ look: Look) {
    guard let detail = look.detail else { return }
    view.title = detail.name.description
    view.regions["facts"] = facts(detail, look)
    view.regions["readme"] = readme(detail)
    view.regions["neighbours"] = neighbours(detail)
  }

  static func facts(_ detail: DetailReactor.State, _ look: Look) -> HTML {
    let id = detail.name
    let head: HTML = """
      <div class="title"><h1><span class="owner">\(id.owner) /</span> <b>\(id.name)</b></h1>\
      \(RowViews.star(id, look.star(of: id)))</div>
      """
    if let failure = detail.failure, detail.repository == nil || failure != .notFound {
      return """
        \(head)<p class="failure \(failure.isNetwork ? "network" : "answer")" role="alert"><span>\
        <b>\(Failures.title(failure))</b>\(Failures.until(failure))</span> \
        <button class="small" form="act" formaction="/actions/reload" name="repository" \
        value="\(detail.id)" id="reload">Try again</button></p>
        """
    }
    guard let one = detail.repository else {
      return """
        \(head)<div class="about" aria-hidden="true"><p class="lead bone w2">&nbsp;</p>\
        <ul class="fact-list"><li class="bone">&nbsp;</li><li class="bone">&nbsp;</li>\
        <li class="bone">&nbsp;</li></ul></div>
        """
    }
    let topics = one.topics.map { "<li>\($0)</li>" as HTML }
    let language: HTML =
      one.language == nil ? .none : "<li>\(RowViews.language(one))</li>"
    let license: HTML = one.license.map { "<li><b>\($0)</b> licence</li>" } ?? .none
    return """
      \(head)<div class="about"><p class="lead" dir="auto">\(one.summary ?? "No description")</p>
      <ul class="fact-list" aria-label="Facts"><li><b>\(Formats.whole(one.stars))</b> stars</li>\
      <li><b>\(Formats.whole(one.forks))</b> forks</li>\
      <li><b>\(Formats.whole(one.openIssues))</b> open issues</li>\(license)\
      \(language)<li>Updated \(Formats.day(one.updated))</li></ul>
      \(topics.isEmpty ? HTML.none : "<ul class=\"topics\" aria-label=\"Topics\">\(topics)</ul>")</div>
      """
  }

  static func readme(_ detail: DetailReactor.State) -> HTML {
    if let html = detail.readme {
      return "<article class=\"readme\" aria-label=\"README\">\(HTML(safe: html))</article>"
    }
    if detail.repository != nil { return "<p class=\"quiet end\">It has no README.</p>" }
    guard detail.failure == nil else { return .none }
    let bones = (0..<9).map { "<span class=\"bone line w\($0 % 4)\"></span>" as HTML }
    return "<div class=\"readme\" aria-hidden=\"true\">\(bones)</div>"
  }

  static func neighbours(_ detail: DetailReactor.State) -> HTML {
    if detail.neighbours.isEmpty { return .none }
    let links = detail.neighbours.map { one -> HTML in
      """
      <li><a href="/repositories/\(one.id)"><b>\(one.id.name)</b>\
      <span class="quiet">★ \(Formats.count(one.stars))</span></a></li>
      """
    }
    return "<h2>More of \(detail.name.owner)</h2><ul class=\"cards\">\(links)</ul>"
  }

  static func body(_ view: PageView, _ id: RepositoryID) -> HTML {
    """
    <p class="back"><a href="/#row-\(id)" data-back><span aria-hidden="true">‹</span> \
    Repositories</a></p>
    \(Layout.region("facts", view))
    \(Layout.region("readme", view))
    \(Layout.region("neighbours", view))
    """
  }
}
