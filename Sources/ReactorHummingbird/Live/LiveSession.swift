import Hummingbird
import Logging
import NIOCore
import Reactor
import ServiceLifecycle

/// The stream of one client.
///
/// It is released with the body of the response, even if that is never written. It leaves its hubs
/// then.
final class LiveSession: Sendable {
  private let hubs: [any AnyLiveHub]
  private let notifications: LiveNotifications
  private let heartbeat: LiveHeartbeat
  private let retry: Duration
  private let eventIDs: [String?]
  private let logger: Logger

  /// Subscribes to the requested states.
  init(
    _ wanted: [(source: any LiveSource, key: String?)], lastEventID: String?,
    heartbeat: LiveHeartbeat, options: LiveOptions, logger: Logger
  ) throws {
    let notifications = LiveNotifications()
    var hubs: [any AnyLiveHub] = []
    do {
      for (place, (source, key)) in wanted.enumerated() {
        hubs.append(try source.subscribe(notifications, key: key, as: place))
      }
    } catch {
      for hub in hubs { hub.unsubscribe(notifications) }
      throw error
    }
    self.hubs = hubs
    self.notifications = notifications
    self.heartbeat = heartbeat
    self.logger = logger
    retry = options.retry
    eventIDs = Self.eventIDs(in: lastEventID, count: hubs.count)
    heartbeat.subscribe(notifications)
  }

  deinit {
    heartbeat.unsubscribe(notifications)
    for hub in hubs { hub.unsubscribe(notifications) }
  }

  /// Waits until every reactor has a state to send.
  ///
  /// - Throws: The reason why one has none; for example, it could not be made.
  func ready() async throws {
    for hub in hubs { await hub.waitForCurrentFrame(notifications) }
    var waiting = Set(hubs.indices)
    while !waiting.isEmpty {
      for place in waiting {
        if case .failed(let error)? = hubs[place].end { throw error }
        if hubs[place].latest != nil || hubs[place].end != nil { waiting.remove(place) }
      }
      if waiting.isEmpty { break }
      let pending = await notifications.next()
      if pending.isOver { throw CancellationError() }
    }
    for place in hubs.indices { notifications.markChanged(place) }
  }

  /// Writes until the client disconnects, a reactor ends, or the server shuts down.
  func write(to writer: inout any ResponseBodyWriter) async throws {
    let (notifications, connection) = (notifications, ServedConnection.current)
    try await withGracefulShutdownHandler {
      try await writeEvents(to: &writer)
    } onGracefulShutdown: {
      notifications.end()
      connection?.end()
    }
    try await writer.finish(nil)
  }

  private func writeEvents(to writer: inout any ResponseBodyWriter) async throws {
    var eventIDs = eventIDs
    try await write([ByteBuffer(string: "retry: \(retry.milliseconds)\n\n")], to: &writer)
    while true {
      let pending = await notifications.next()
      var (buffers, hasEnded) = ([ByteBuffer](), false)
      for place in pending.changed.sorted() {
        hasEnded = hasEnded || hubs[place].end != nil
        guard let frame = hubs[place].latest, eventIDs[place] != frame.eventID else { continue }
        eventIDs[place] = frame.eventID
        buffers += event(frame, of: hubs[place], eventIDs: eventIDs)
      }
      if !buffers.isEmpty, !Task.isCancelled { try await write(buffers, to: &writer) }
      if hasEnded { logFailures() }
      if pending.isOver || hasEnded { return }
      if pending.needsHeartbeat, buffers.isEmpty {
        try await write([Self.heartbeatComment], to: &writer)
      }
    }
  }

  private func write(_ buffers: [ByteBuffer], to writer: inout any ResponseBodyWriter) async throws
  {
    defer { notifications.didWrite() }
    if buffers.count == 1 {
      try await writer.write(buffers[0])
    } else {
      try await writer.write(contentsOf: buffers)
    }
  }

  /// Returns an event; if the stream has several sources, only its first lines are specific to the
  /// client.
  private func event(
    _ frame: LiveFrame, of hub: any AnyLiveHub, eventIDs: [String?]
  ) -> [ByteBuffer] {
    guard hubs.count > 1 || hub.label != nil else { return [frame.event] }
    let id = eventIDs.map { $0 ?? "" }.joined(separator: ",")
    let name = hub.label.map { "event: \($0)\n" } ?? ""
    return [ByteBuffer(string: "id: \(id)\n\(name)"), frame.data]
  }

  private func logFailures() {
    for hub in hubs {
      if case .failed(let error)? = hub.end, !(error is CancellationError) {
        let text = ReportText.text(ofError: error)
        logger.error("a live stream ended", metadata: ["error": "\(text)"])
      }
    }
  }

  private static let heartbeatComment = ByteBuffer(string: ":\n\n")

  /// Returns what a client has received, in the order of its query.
  private static func eventIDs(in lastEventID: String?, count: Int) -> [String?] {
    let all = lastEventID?.split(separator: ",", omittingEmptySubsequences: false) ?? []
    guard all.count == count else { return Array(repeating: nil, count: count) }
    return all.map { $0.isEmpty ? nil : String($0) }
  }
}

extension Duration {
  /// The duration in whole milliseconds.
  var milliseconds: Int64 {
    components.seconds * 1000 + components.attoseconds / 1_000_000_000_000_000
  }
}
