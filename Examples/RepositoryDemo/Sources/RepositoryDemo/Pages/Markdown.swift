import CMarkGFM
import Foundation

/// Renders READMEs with GitHub's own library, in its safe mode: HTML is removed, and so are links
/// that would run a script.
enum Markdown {
  private static let isRegistered: Bool = {
    cmark_gfm_core_extensions_ensure_registered()
    return true
  }()

  static func html(_ markdown: String) -> String {
    guard isRegistered, let parser = cmark_parser_new(CMARK_OPT_DEFAULT) else { return "" }
    defer { cmark_parser_free(parser) }
    for name in ["table", "strikethrough", "autolink", "tagfilter", "tasklist"] {
      if let found = cmark_find_syntax_extension(name) {
        cmark_parser_attach_syntax_extension(parser, found)
      }
    }
    // A README longer than this is truncated.
    let text = String(markdown.prefix(200_000))
    cmark_parser_feed(parser, text, text.utf8.count)
    guard let document = cmark_parser_finish(parser) else { return "" }
    defer { cmark_node_free(document) }
    lowerHeadings(of: document)
    let options = CMARK_OPT_DEFAULT | CMARK_OPT_VALIDATE_UTF8
    guard
      let html = cmark_render_html(
        document, options, cmark_parser_get_syntax_extensions(parser))
    else { return "" }
    defer { free(html) }
    return String(cString: html)
  }

  /// The page itself has a heading of the first level.
  private static func lowerHeadings(of document: OpaquePointer) {
    guard let nodes = cmark_iter_new(document) else { return }
    defer { cmark_iter_free(nodes) }
    while true {
      let event = cmark_iter_next(nodes)
      if event == CMARK_EVENT_DONE { return }
      guard event == CMARK_EVENT_ENTER, let node = cmark_iter_get_node(nodes),
        cmark_node_get_type(node) == CMARK_NODE_HEADING
      else { continue }
      cmark_node_set_heading_level(node, min(cmark_node_get_heading_level(node) + 1, 6))
    }
  }
}
