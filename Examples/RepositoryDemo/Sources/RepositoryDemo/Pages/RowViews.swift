import RepositoryCore

/// One repository in a list, and its placeholder while it is being loaded.
enum RowViews {
  static func row(_ one: Repository, isStarred: Bool) -> PageView.Row {
    let summary = one.summary ?? "No description"
    return PageView.Row(
      id: one.id.description,
      html: """
        <li class="row" id="row-\(one.id)"><a class="row-link" href="/repositories/\(one.id)">\
        <span class="name"><span class="owner">\(one.id.owner) /</span> <b>\(one.id.name)</b></span>\
        <span class="summary\(one.summary == nil ? " quiet" : "")" dir="auto">\(summary)</span>\
        <span class="facts">\(language(one))<span>★ \(Formats.count(one.stars))</span>\
        <span class="late">Updated \(Formats.day(one.updated))</span></span></a>\
        \(star(one.id, isStarred: isStarred))</li>
        """)
  }

  static func star(_ id: RepositoryID, isStarred: Bool) -> HTML {
    let action = isStarred ? "unfavour" : "favour"
    return """
      <button class="star" id="star-\(id)" form="act" formaction="/actions/\(action)" \
      name="repository" value="\(id)" aria-pressed="\(isStarred ? "true" : "false")" \
      aria-label="Favourite \(id)"><span aria-hidden="true">\(isStarred ? "★" : "☆")</span></button>
      """
  }

  static func language(_ one: Repository) -> HTML {
    guard let language = one.language else { return .none }
    let name = language.lowercased().replacing("+", with: "p").filter { $0.isASCII && $0.isLetter }
    return "<span class=\"lang lang-\(name)\">\(language)</span>"
  }

  static func placeholders(_ count: Int) -> [PageView.Row] {
    (0..<count).map { number in
      PageView.Row(
        id: "placeholder-\(number)",
        html: """
          <li class="row placeholder" aria-hidden="true"><span class="row-link">\
          <span class="name bone w\(number % 3)"></span><span class="summary bone w\((number + 1) % 3)">\
          </span><span class="facts bone w3"></span></span></li>
          """)
    }
  }
}
