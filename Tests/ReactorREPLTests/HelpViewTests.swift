import TestLimits
import Testing

@testable import ReactorREPL

@Suite(.bounded) struct HelpViewTests {
  /// Commands as a narrow window shows them: each description is below its command.
  private let commands = (1...20).map { "command \($0)\n  what it does" }.joined(separator: "\n")

  /// The lines of each page, from the first to the last, and back.
  private func pages(_ text: String, columns: Int, height: Int) -> (
    down: [[String]], up: [[String]]
  ) {
    var view = HelpView(text: text)
    func lines() -> [String] {
      view.rows(columns: columns, height: height, status: ScreenStatus()).map(\.plain)
        .filter { !$0.hasPrefix("Help ") && !$0.contains("Enter") }
    }
    var (down, up) = ([lines()], [[String]]())
    while view.turn(by: 1, columns: columns, height: height) { down.append(lines()) }
    up.append(lines())
    while view.turn(by: -1, columns: columns, height: height) { up.append(lines()) }
    return (down, up)
  }

  @Test(arguments: 4...30)
  func `no page separates a command from its description`(height: Int) {
    let (down, up) = pages(commands, columns: 40, height: height)
    for page in down + up {
      #expect(page.first?.hasPrefix("command") == true)
      #expect(page.last?.hasPrefix("  what") == true)
    }
    for pages in [down, up] {
      #expect(Set(pages.joined()).count == 21)
    }
  }

  @Test(arguments: [4, 5, 9])
  func `a text that is longer than a page is shown in parts`(height: Int) {
    let text = "one\n" + (1...30).map { "  line \($0)" }.joined(separator: "\n")
    let (down, up) = pages(text, columns: 40, height: height)
    for pages in [down, up] { #expect(Set(pages.joined()).count == 31) }
  }

  @Test func `a low window has no row for the title`() {
    let view = HelpView(text: commands)
    let rows = view.rows(columns: 40, height: 8, status: ScreenStatus()).map(\.plain)
    #expect(rows.first == "command 1")
    #expect(rows.count == 7)
    #expect(rows.last?.hasSuffix("1–6 of 40 · Enter: more") == true)
  }
}
