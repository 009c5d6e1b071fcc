import CoreMetrics
import Foundation
import Logging
import RepositoryCore
import Testing

@testable import RepositoryDemo

@Suite(.timeLimit(.minutes(2))) struct HTMLTests {
  @Test func `inserted text is escaped, HTML is not`() {
    let evil = "<b>&\"'\u{0}"
    let inner: HTML = "<i>\(evil)</i>"
    let outer: HTML = "<p>\(inner)\([inner])</p>"
    #expect(inner.text == "<i>&lt;b&gt;&amp;&quot;&#39;\u{FFFD}</i>")
    #expect(outer.text == "<p>\(inner.text)\(inner.text)</p>")
  }

  @Test(arguments: [
    (0, "0"), (999, "999"), (1234, "1.2k"), (9999, "9.9k"), (34_567, "34k"), (1_250_000, "1.2M"),
  ])
  func `numbers are short`(number: Int, text: String) {
    #expect(Formats.count(number) == text)
  }

  @Test func `numbers, days and times are the same everywhere`() {
    #expect([0, 999, 1000, 1_234_567].map(Formats.whole) == ["0", "999", "1,000", "1,234,567"])
    #expect(Formats.day(Date(timeIntervalSince1970: 86_400 * 33)) == "3 Feb 1970")
    #expect(Formats.time(Date(timeIntervalSince1970: 3661)) == "01:01:01")
  }
}

@Suite(.timeLimit(.minutes(2))) struct MarkdownTests {
  @Test func `a README is rendered as GitHub's Markdown`() {
    let html = Markdown.html("| a |\n|---|\n| b |\n\n~~c~~ https://example.com\n\n- [x] d")
    for part in ["<td>b</td>", "<del>c</del>", "<a href=\"https://example.com\">", "checked"] {
      #expect(html.contains(part))
    }
  }

  @Test(arguments: [
    "<script>alert(1)</script>", "<img src=x onerror=alert(1)>", "[a](javascript:alert(1))",
    "<a href='javascript:alert(1)'>b</a>", "![c](javascript:alert(1))", "<svg onload=alert(1)>",
    "[d](data:text/html,<script>alert(1)</script>)", "<iframe src=//x></iframe>",
    "a <b onclick=alert(1)> c", "[e](vbscript:x)", "<style>*{display:none}</style>",
  ])
  func `no script of a README runs`(markdown: String) {
    let html = Markdown.html(markdown).lowercased()
    for part in [
      "<script", "<img src=\"x", "onerror=", "javascript:", "<svg", "<iframe", "onclick=",
      "vbscript:", "<style", "data:text",
    ] {
      #expect(!html.contains(part), "\(html)")
    }
  }

  @Test func `headings of a README are below that of the page`() {
    let html = Markdown.html("# a\n\n## b\n\n###### c")
    for part in ["<h2>a</h2>", "<h3>b</h3>", "<h6>c</h6>"] { #expect(html.contains(part)) }
    #expect(!html.contains("<h1"))
  }

  @Test func `bytes that are not text are harmless`() {
    #expect(Markdown.html("").isEmpty)
    #expect(Markdown.html("a\u{0}b").contains("b"))
    #expect(!Markdown.html(String(repeating: "[", count: 50_000)).isEmpty)
    #expect(!Markdown.html(String(repeating: "> ", count: 20_000)).isEmpty)
  }
}

@Suite(.timeLimit(.minutes(2))) struct PageViewTests {
  private static func view(_ rows: [Int], _ text: HTML = "") -> PageView {
    PageView(
      title: "", regions: ["status": text],
      rows: rows.map { PageView.Row(id: .placeholder($0), html: "<li>\($0)</li>") })
  }

  /// Applies a change as the script does.
  private static func apply(_ change: PageChange?, to rows: [String]) -> [String] {
    guard let change else { return rows }
    if let all = change.all { return all }
    guard let rows_ = change.rows else { return rows }
    var list = rows.map(Optional.some)
    let moved = rows_.moves.map { ($0[1], rows[$0[0]]) }
    for place in rows_.deletes + rows_.moves.map({ $0[0] }) { list[place] = nil }
    var new = list.compactMap { $0 }
    let come = rows_.inserts.map { ($0.place, $0.html) } + moved
    for (place, html) in come.sorted(by: { $0.0 < $1.0 }) { new.insert(html, at: place) }
    for update in rows_.updates { new[update.place] = update.html }
    return new
  }

  @Test(arguments: 1...200)
  func `a change turns the old rows into the new ones`(seed: Int) {
    var state = UInt64(seed)
    func next(_ limit: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(state >> 33) % limit
    }
    let old = Array(Set((0..<12).map { _ in next(15) }))
    let new = Array(Set((0..<12).map { _ in next(15) }))
    let change = PageChange(from: Self.view(old), to: Self.view(new)) { .none }
    let rows = Self.view(old).rows?.map(\.html.text) ?? []
    #expect(Self.apply(change, to: rows) == Self.view(new).rows?.map(\.html.text))
  }

  @Test func `what stays the same is not sent`() throws {
    #expect(PageChange(from: Self.view([1, 2]), to: Self.view([1, 2])) { .none } == nil)
    let change = try #require(
      PageChange(from: Self.view([1, 2]), to: Self.view([1, 2], "new")) { .none })
    #expect(change.regions == ["status": "new"])
    #expect(change.rows == nil)
  }

  @Test func `views that show something else have another digest`() {
    #expect(Self.view([1, 2]).digest == Self.view([1, 2]).digest)
    #expect(Self.view([1, 2]).digest != Self.view([2, 1]).digest)
    #expect(Self.view([1], "a").digest != Self.view([1], "b").digest)
  }

  @Test func `another screen is sent with its body, the same one without`() throws {
    let old = Self.view([1, 2], "old")
    var new = Self.view([3], "new")
    (new.route, new.address, new.index) = (.settings, "/settings", 1)
    new.regions["tabs"] = "tabs"
    let change = try #require(PageChange(from: old, to: new) { "<h1>Settings</h1>" })
    #expect(change.body == "<h1>Settings</h1>")
    #expect(change.place == .init(address: "/settings", index: 1))
    // The other regions are in the body.
    #expect(change.regions == ["tabs": "tabs"])
    #expect(change.rows == nil)

    var moved = old
    moved.index = 1
    let same = try #require(PageChange(from: old, to: moved) { "not rendered" })
    #expect(same.body == nil)
    #expect(same.place == .init(address: "/", index: 1))
  }

  @Test func `rows of several kinds are compared by identity and content`() throws {
    func view(_ rows: [ListRow]) -> PageView {
      PageView(title: "", rows: rows.map(RowViews.row))
    }
    let one = CataloguePage.one("a/one", nil)
    let news = Announcement(id: 1, text: "News.")
    let old = view([
      .header(.init(list: .everything, count: 1, total: 9)), .advertisement,
      .repository(one, .off), .loadMore(.automatic(.everything)),
    ])
    let new = view([
      .header(.init(list: .everything, count: 1, total: 9)), .announcement(news),
      .repository(one, .on), .loadMore(.loading),
    ])
    let rows = try #require(PageChange(from: old, to: new) { .none }?.rows)
    #expect(rows.deletes == [1])
    #expect(rows.moves == [])
    #expect(rows.inserts.map(\.place) == [1])
    #expect(rows.updates.map(\.place) == [2, 3])
  }
}

@Suite(.timeLimit(.minutes(2))) struct SeeingTests {
  @Test func `a trace is taken from the header that W3C has for it`() {
    let id = "4bf92f3577b34da6a3ce929d0e0e4736"
    #expect(Tracing.id(in: "00-\(id)-00f067aa0ba902b7-01") == id)
    for wrong in [nil, "", "00-\(id)", "00-XYZ-1-1", "00-\(String(repeating: "0", count: 32))-1-1"]
    {
      #expect(Tracing.id(in: wrong) == nil)
    }
  }

  @Test func `a line of the log is JSON and has its trace`() throws {
    let lines = Lines()
    var logger = Logger(label: "demo") { JSONLogHandler(label: $0) { lines.append($0) } }
    logger[metadataKey: "reactor"] = "List"
    Trace.$id.withValue("abc") { logger.info("line\n\"two\"", metadata: ["id": "1"]) }
    let line = try #require(lines.all.first)
    let fields = try JSONDecoder().decode([String: String].self, from: Data(line.utf8))
    #expect(line.hasSuffix("\n"))
    #expect(fields["trace_id"] == "abc")
    #expect(fields["message"] == "line\n\"two\"")
    #expect(fields["reactor"] == "List")
    #expect(fields["id"] == "1")
  }

  @Test func `metrics are written in Prometheus's format`() {
    let metrics = PrometheusMetrics()
    let labels = [("kind", "a\"b")]
    metrics.makeCounter(label: "some.things", dimensions: labels).increment(by: 2)
    metrics.makeCounter(label: "some.things", dimensions: labels).increment(by: 3)
    metrics.makeTimer(label: "took", dimensions: []).recordNanoseconds(500_000_000)
    #expect(
      metrics.text == """
        # TYPE some_things_total counter
        some_things_total{kind="a\\"b"} 5.0
        # TYPE took_seconds summary
        took_seconds_sum 0.5
        took_seconds_count 1

        """)
  }

  @Test func `evenly spaced requests pass, a burst of requests is limited`() {
    let limit = RateLimit(perSecond: 2, burst: 3)
    let start = ContinuousClock.now
    #expect((0..<4).map { _ in limit.allows("a", at: start) } == [true, true, true, false])
    #expect(limit.allows("b", at: start))
    #expect(limit.allows("a", at: start + .milliseconds(500)))
    #expect(!limit.allows("a", at: start + .milliseconds(500)))
  }
}
