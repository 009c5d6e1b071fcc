/// The page that replaces another one after an error.
enum ErrorPage {
  static let file = #fileID

  static let house = "All seats are taken. Come again in a minute; somebody will have left."
  static let address =
    "Too many visitors have come from your address. Come again in a minute; one will have left."
  static let tooOften = "That was a lot at once. Wait a moment."
  static let nothing = "There is no such page."
  static let outdated = "This page is out of date. Load it anew."
  static let ours = "Something went wrong here. It has been written down."
  static let anew = "The service starts anew. Try again in a moment."

  static func page(_ code: Int, _ message: String) -> HTML {
    """
    <!doctype html><html lang="en"><head><meta charset="utf-8"><title>\(code)</title>
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark"><link rel="icon" href="data:,">\
    <link rel="stylesheet" href="\(Assets.style.path)"></head>
    <body><main id="main">\(body(code, message))</main></body></html>
    """
  }

  static func body(_ code: Int, _ message: String) -> HTML {
    """
    <div class="empty"><p class="big" aria-hidden="true">\(code)</p><h1>\(message)</h1>\
    <p><a class="button" href="/">To the start</a></p></div>
    """
  }
}
