import Foundation
import Hummingbird
import NIOCore
import Reactor
import ReactorComposition
import RepositoryCore
import ServiceLifecycle

/// One page's stream of server-sent events: the differences from what it shows.
///
/// The `id` of an event is the digest of what is shown after it. A page that reconnects sends the
/// digest that it has, and a new page sends the one that it was rendered with. If that is still
/// current, nothing is sent, otherwise everything once.
struct PageStream: Sendable {
  let desk: Desk
  let route: Route
  let cookie: VisitorCookie
  let address: String
  /// The digest of what the page shows.
  let seen: String?
  var heartbeat = Duration.seconds(15)

  func write(to writer: inout any ResponseBodyWriter) async throws {
    try await writer.write(ByteBuffer(string: "retry: 1000\n\n"))
    let hasSession: Void? = try await desk.gate.join(cookie, from: address) { shell, cookie in
      let box = LookBox(try await desk.look(route, path: route.path, shell, cookie))
      let watchers = watch(shell, box)
      defer { for watcher in watchers { watcher.cancel() } }
      try await withGracefulShutdownHandler {
        try await write(box, to: &writer) {
          try await desk.look(route, path: route.path, shell, cookie)
        }
      } onGracefulShutdown: {
        box.end()
      }
    }
    if hasSession == nil { try await writer.write(Self.reload) }
    try await writer.finish(nil)
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
    let change =
      if let shown { PageChange(from: shown, to: view) } else {
        digest == seen ? nil : PageChange(view)
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

  // MARK: The states of a page

  private func watch(_ shell: ShellReactor, _ box: LookBox) -> [Task<Void, Never>] {
    let screens = shell.screens
    var watchers = [
      Task {
        let all = combining(shell.state, screens.login.state, screens.settings.state)
        for await (shell, login, settings) in all {
          box.update { ($0.shell, $0.login, $0.settings) = (shell, login, settings) }
        }
        box.end()
      },
      Task { await followList(shell, box) },
      Task { await followFavourites(screens.login, box) },
      Task {
        while (try? await Task.sleep(for: heartbeat)) != nil { box.beat() }
      },
    ]
    if case .detail(let id) = route {
      watchers.append(
        Task {
          try? await desk.details.with(id) { detail in
            for await state in detail.state.buffering(.newest) { box.update { $0.detail = state } }
          }
        })
    }
    if route == .settings, let weather = desk.weather {
      let changes = weather.changes.stream()
      watchers.append(
        Task {
          for await weather in changes { box.update { $0.weather = weather } }
        })
    }
    return watchers
  }

  /// Follows the list, whose streams end when it is reset.
  private func followList(_ shell: ShellReactor, _ box: LookBox) async {
    var following: Task<Void, Never>?
    for await _ in shell.state.buffering(.newest).select(\.starts) {
      following?.cancel()
      following = Task {
        for await list in shell.screens.list.state.buffering(.newest) {
          box.update { $0.list = list }
        }
      }
    }
    following?.cancel()
  }

  /// Follows the favourites of the logged-in user.
  private func followFavourites(_ login: LoginReactor, _ box: LookBox) async {
    var following: Task<Void, Never>?
    for await user in login.state.buffering(.newest).select(\.user) {
      following?.cancel()
      guard let user else {
        box.update { $0.favourites = .init() }
        continue
      }
      following = Task {
        do {
          for try await state in desk.favourites[user.name].states(.newest) {
            box.update { $0.favourites = state }
          }
        } catch {
          // The page keeps what it shows; the next page that is opened reports the error.
        }
      }
    }
    following?.cancel()
  }
}
