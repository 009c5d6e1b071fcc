import Foundation
import Hummingbird
import NIOCore
import Reactor
import ReactorComposition
import RepositoryCore
import ServiceLifecycle

/// One window's stream of server-sent events: the differences from what it shows.
///
/// The `id` of an event is the digest of what is shown after it. A page that reconnects sends the
/// digest that it has, and a new page sends the one that it was rendered with. If that is still
/// current, nothing is sent, otherwise everything once.
struct PageStream: Sendable {
  let desk: Desk
  /// Where the browser is.
  let place: Place
  let cookie: VisitorCookie
  let address: String
  /// The digest of what the page shows.
  let seen: String?
  var heartbeat = Duration.seconds(15)

  func write(to writer: inout any ResponseBodyWriter) async throws {
    try await writer.write(ByteBuffer(string: "retry: 1000\n\n"))
    let hasSession: Void? = try await desk.gate.join(cookie, from: address) { shell, cookie in
      await shell.screens.router.send(.connect(place)).settled
      let box = LookBox(try await look(shell, cookie))
      let watchers = StreamWatchers(desk: desk, box: box, window: place.window)
        .start(shell, heartbeat: heartbeat)
      defer { for watcher in watchers { watcher.cancel() } }
      try await withGracefulShutdownHandler {
        try await write(box, to: &writer) { try await look(shell, cookie) }
      } onGracefulShutdown: {
        box.end()
      }
    }
    if hasSession == nil { try await writer.write(Self.reload) }
    try await writer.finish(nil)
  }

  /// The states of the page at which the window is.
  private func look(_ shell: ShellReactor, _ cookie: VisitorCookie) async throws -> Look {
    try await desk.greet(shell)
    let navigation = await shell.screens.router.currentState.windows[place.window]
    let now = Place(
      place.window, at: navigation?.route ?? place.route, index: navigation?.index ?? place.index)
    return try await desk.look(now, shell, cookie)
  }

  private func write(
    _ box: LookBox, to writer: inout any ResponseBodyWriter, last: () async throws -> Look
  ) async throws {
    var shown: PageView?
    for await _ in box.news {
      let (look, isBeat) = box.take()
      guard try await write(look, after: &shown, isBeat: isBeat, to: &writer) else { return }
    }
    // The last changes before the end are in the reactors, but possibly not in the box yet.
    guard !Task.isCancelled, let look = try? await last() else { return }
    _ = try await write(look, after: &shown, isBeat: false, to: &writer)
  }

  /// - Returns: Whether the page may still show this session.
  private func write(
    _ look: Look, after shown: inout PageView?, isBeat: Bool,
    to writer: inout any ResponseBodyWriter
  ) async throws -> Bool {
    guard look.login.generation == cookie.generation else {
      try await writer.write(Self.reload)
      return false
    }
    let view = Layout.view(look)
    let digest = view.digest
    let change: PageChange?
    if let shown {
      change = PageChange(from: shown, to: view) { Layout.body(view, look) }
    } else if digest == seen, view.index == place.index {
      change = nil
    } else {
      let isElsewhere = look.route != place.route
      change = PageChange(view, body: isElsewhere ? Layout.body(view, look) : nil)
    }
    shown = view
    if let change {
      let encoder = JSONEncoder()
      encoder.outputFormatting = .sortedKeys
      var buffer = ByteBuffer(string: "id: \(digest)\nevent: page\ndata: ")
      buffer.writeBytes(try encoder.encode(change))
      buffer.writeString("\n\n")
      try await writer.write(buffer)
    } else if isBeat {
      try await writer.write(ByteBuffer(string: ":\n\n"))
    }
    return true
  }

  private static let reload = ByteBuffer(string: "event: reload\ndata: now\n\n")
}
