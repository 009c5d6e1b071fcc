import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import Reactor
import RepositoryCore
import ServiceLifecycleTestKit
import Testing

@testable import RepositoryDemo

/// Pages that disconnect and reconnect, over a socket, and pages that are slow.
@Suite(.timeLimit(.minutes(2))) struct ReconnectingTests {
  @Test func `a page that reconnects shows what one that stayed connected shows`() async throws {
    try await browse { browser in
      try await browser.visitor.list()
      var (staying, going) = (PageModel(), PageModel())
      var stayed = try await browser.events(last: "nothing")
      for (number, word) in ["parser", "http", "swift", "", "json", "parser", "log"].enumerated() {
        // It is disconnected during every other search.
        var came = number.isMultiple(of: 2) ? try await browser.events(last: going.seen) : nil
        try await browser.visitor.post("/actions/search", ["q": word])
        if came == nil { came = try await browser.events(last: going.seen) }
        try await stayed.read(into: &staying) { $0.values["q"] == word && $0.isDone }
        try await came?.read(into: &going) { $0.values["q"] == word && $0.isDone }
        #expect(going.rows == staying.rows)
        #expect(going.regions == staying.regions)
        #expect(going.seen == staying.seen)
      }
      // One that stays connected gets the whole page once.
      #expect(staying.wholes == 1)
      let page = try await browser.visitor.get("/")
      #expect(page.value(after: "data-seen=\"") == going.seen)
      #expect(going.repositories == 30)
      for row in going.rows { #expect(page.text.contains(row)) }
    }
  }

  @Test func `a page continues when its list is started over`() async throws {
    try await browse { browser in
      try await browser.visitor.list()
      var page = PageModel()
      var events = try await browser.events(last: "nothing")
      try await events.read(into: &page) { $0.values["q"] == "swift" && $0.isDone }
      let answer = try await browser.visitor.post("/actions/start-over", [:])
      #expect(answer.headers[.location] == "/")
      try await events.read(into: &page) { $0.values["q"] == "" && $0.isDone }
      #expect(page.repositories == 30)
      try await browser.visitor.post("/actions/search", ["q": "http"])
      try await events.read(into: &page) { $0.values["q"] == "http" && $0.isDone }
    }
  }

  @Test func `a box without a reader keeps one element, the newest`() async {
    let box = LookBox(
      Look(
        place: Place(WindowID(), at: .settings), shell: .init(), lists: .init(), login: .init(),
        settings: .init()))
    for number in 1...200 { box.update { $0.place.index = number } }
    box.end()
    var looks: [Int] = []
    for await _ in box.news { looks.append(box.take().look.place.index) }
    #expect(looks == [200])
  }

  @Test func `a browser that reads nothing for a while costs one state, not a queue`() async throws
  {
    try await browse { browser in
      let (desk, cookie) = (browser.desk, VisitorCookie())
      try await desk.gate.join(cookie, from: "a") { shell, _ in
        let (taken, takes) = AsyncStream.makeStream(of: String.self)
        let (opened, open) = AsyncStream.makeStream(of: Void.self)
        let stream = PageStream(
          desk: desk, place: Place(WindowID(), at: .settings), cookie: cookie, address: "a",
          seen: nil)
        let writing = Task {
          var writer: any ResponseBodyWriter = SlowWriter(takes: takes, opened: opened)
          try await stream.write(to: &writer)
        }
        var events = taken.makeAsyncIterator()
        while let event = await events.next(), !event.contains("data:") {}
        // It has received one event, and no more: 200 states follow meanwhile.
        for number in 1...200 {
          let theme: SettingsReactor.Theme = number.isMultiple(of: 2) ? .dark : .light
          await shell.screens.settings.send(.setTheme(theme)).settled
        }
        await shell.screens.settings.send(.setAnnouncements(false)).settled
        open.finish()
        var count = 0
        while let event = await events.next() {
          count += 1
          if event.contains("announcements-off\\\" aria-pressed=\\\"true") { break }
        }
        #expect(count < 100)
        writing.cancel()
        _ = await writing.result
      }
    }
  }
}

/// A connection that takes one event and then none until its gate opens.
private struct SlowWriter: ResponseBodyWriter {
  let takes: AsyncStream<String>.Continuation
  let opened: AsyncStream<Void>

  func write(_ buffer: ByteBuffer) async throws {
    let text = String(buffer: buffer)
    takes.yield(text)
    guard text.contains("data:") else { return }
    // Returns at once when it is open.
    for await _ in opened {}
    try Task.checkCancellation()
  }

  consuming func finish(_ trailingHeaders: HTTPFields?) async throws { takes.finish() }
}

/// The last event of a page; the browser's test of it uses a process that really ends.
@Suite(.timeLimit(.minutes(2))) struct LastEventTests {
  /// The stream may end before what watches the session has sent it anything.
  ///
  /// Whether it does is a matter of chance, so there are many of them.
  @Test func `a change before the end is shown, however soon the end follows`() async throws {
    try await browse { browser in
      let (desk, cookie) = (browser.desk, VisitorCookie())
      try await desk.gate.join(cookie, from: "a") { shell, _ in
        for number in 1...100 {
          let theme: SettingsReactor.Theme = number.isMultiple(of: 2) ? .light : .dark
          try await testGracefulShutdown { trigger in
            let (taken, takes) = AsyncStream.makeStream(of: String.self)
            let stream = PageStream(
              desk: desk, place: Place(WindowID(), at: .settings), cookie: cookie, address: "a",
              seen: nil)
            var writer: any ResponseBodyWriter = EndingWriter(takes: takes) {
              await shell.screens.settings.send(.setTheme(theme)).settled
              trigger.triggerGracefulShutdown()
            }
            try await stream.write(to: &writer)
            takes.finish()
            var events: [String] = []
            for await event in taken where event.contains("data:") { events.append(event) }
            let shown = events.dropFirst().filter { $0.contains("\"theme\":\"\(theme)\"") }
            #expect(shown.count == 1)
          }
        }
      }
    }
  }
}

/// A connection during whose first event everything ends.
private struct EndingWriter: ResponseBodyWriter {
  let takes: AsyncStream<String>.Continuation
  let end: @Sendable () async -> Void

  func write(_ buffer: ByteBuffer) async throws {
    let text = String(buffer: buffer)
    takes.yield(text)
    if text.contains("data:") { await end() }
  }

  consuming func finish(_ trailingHeaders: HTTPFields?) async throws {}
}
