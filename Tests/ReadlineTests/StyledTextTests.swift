import Testing
import TestLimits

@testable import Readline
@testable import CommandShell

@Suite(.bounded) struct StyledTextTests {
  @Test func `neighbours of the same style become one`() {
    var text = StyledText("a", .bold)
    text.append("b", .bold)
    text.append("")
    text += StyledText("c", .dim) + "d"
    #expect(text.spans.map(\.text) == ["ab", "c", "d"])
    #expect(text.plain == "abcd")
    #expect(StyledText("").isEmpty && StyledText() == "")
  }

  @Test func `control characters in it are not obeyed by a terminal`() {
    let text = StyledText("a\u{1B}[31mb\u{7}\n\u{9B}c\u{7F}\u{2028}d\u{202E}e\u{2066}f")
    #expect(text.plain == "a\u{FFFD}[31mb\u{FFFD}\u{FFFD}\u{FFFD}c\u{FFFD}\u{FFFD}def")
    #expect(StyledText("\r\n").plain == "\u{FFFD}\u{FFFD}")
    #expect(StyledText("👨‍👩‍👧 ❤\u{FE0F} é 語").plain == "👨‍👩‍👧 ❤\u{FE0F} é 語")
  }

  @Test func `every style has its code, and ends where its text ends`() {
    let styles: [(TextStyle, String)] = [
      (.bold, "1"), (.dim, "2"), (.underline, "4"), (.inverse, "7"), (.strikethrough, "9"),
      (.red, "31"), (.green, "32"), (.yellow, "33"), (.blue, "34"), (.magenta, "35"), (.cyan, "36"),
      ([.cyan, .bold, .dim], "1;2;36"),
    ]
    for (style, code) in styles {
      #expect(encoded("a" + StyledText("b", style) + "c") == "a\u{1B}[\(code)mb\u{1B}[mc")
    }
    #expect(encoded("plain") == "plain")
    #expect(encoded(StyledText("b", .red), showsStyles: false) == "b")
  }

  private func encoded(_ text: StyledText, showsStyles: Bool = true) -> String {
    String(decoding: StyleEncoder(showsStyles: showsStyles).bytes(of: text), as: UTF8.self)
  }
}

@Suite(.bounded) struct TerminalTraitsTests {
  @Test(arguments: ["xterm", "xterm-256color", "tmux-256color", "screen", "linux", "vt100", "foot"])
  func `common terminals can paint`(term: String) {
    let traits = TerminalTraits(term: term, noColor: nil, isInteractive: true)
    #expect(traits.canPaint && traits.showsStyles)
  }

  @Test(arguments: [nil, "", "dumb", "dumb-emacs-ansi", "vt52", "cons25-debian", "mach-gnu-color"])
  func `terminals without a scroll region cannot`(term: String?) {
    let traits = TerminalTraits(term: term, noColor: nil, isInteractive: true)
    #expect(!traits.canPaint && !traits.showsStyles)
  }

  @Test func `without a terminal there is nothing to paint on`() {
    let traits = TerminalTraits(term: "xterm", noColor: nil, isInteractive: false)
    #expect(!traits.canPaint && !traits.showsStyles)
  }

  @Test func `NO_COLOR affects styles, if it is not empty`() {
    let plain = TerminalTraits(term: "xterm", noColor: "1", isInteractive: true)
    #expect(plain.canPaint && !plain.showsStyles)
    #expect(TerminalTraits(term: "xterm", noColor: "", isInteractive: true).showsStyles)
  }
}

@Suite(.bounded) struct NewestValueTests {
  @Test func `a late subscriber gets the value first, and of many the newest`() async {
    let value = NewestValue(1)
    value.publish(2)
    var values = value.values().makeAsyncIterator()
    #expect(await values.next() == 2)
    value.publish(3)
    value.publish(4)
    #expect(await values.next() == 4)
    value.publish(4)
    value.end()
    #expect(await values.next() == nil)
    #expect(value.current == 4)
  }

  @Test func `a subscriber of events gets only new ones, repeated ones as well`() async {
    let events = NewestValue<Int>()
    events.publish(1)
    var followed = events.values().makeAsyncIterator()
    events.publish(2)
    #expect(await followed.next() == 2)
    events.publish(2)
    #expect(await followed.next() == 2)
    #expect(events.current == nil)
  }

  @Test func `a released subscriber is removed, and one after the end ends`() async {
    let value = NewestValue(1)
    #expect(!value.hasSubscribers)
    do {
      let values = value.values()
      #expect(value.hasSubscribers)
      withExtendedLifetime(values) {}
    }
    #expect(!value.hasSubscribers)
    value.end()
    var late = value.values().makeAsyncIterator()
    #expect(await late.next() == 1)
    #expect(await late.next() == nil)
  }
}
