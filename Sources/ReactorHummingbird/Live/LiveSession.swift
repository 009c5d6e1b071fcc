import Hummingbird
import Logging
import NIOCore
import Reactor
import ServiceLifecycle

/// One client's stream of states.
///
/// It is released with the body of the response, also where that is never written, and then
/// leaves.
final class LiveSession: Sendable {
  private let hubs: [any LiveHubbing]
  private let signals: LiveSignals
  private let pulse: LivePulse
  private let retry: Duration
  private let places: [String?]
  private let logger: Logger

  /// Begins to look at what is wanted.
  init(
    _ wanted: [(source: any LiveSource, key: String?)], lastEventID: String?, pulse: LivePulse,
    options: LiveOptions, logger: Logger
  ) throws {
    let signals = LiveSignals()
    var hubs: [any LiveHubbing] = []
    do {
      for (place, (source, key)) in wanted.enumerated() {
        hubs.append(try source.join(signals, key: key, as: place))
      }
    } catch {
      for hub in hubs { hub.leave(signals) }
      throw error
    }
    self.hubs = hubs
    self.signals = signals
    self.pulse = pulse
    self.logger = logger
    retry = options.retry
    places = Self.places(in: lastEventID, count: hubs.count)
    pulse.join(signals)
  }

  deinit {
    pulse.leave(signals)
    for hub in hubs { hub.leave(signals) }
  }

  /// Waits until every reactor has a state to show.
  ///
  /// - Throws: Why one has not: it could not be made, say.
  func ready() async throws {
    for hub in hubs { await hub.caughtUp(signals) }
    var waiting = Set(hubs.indices)
    while !waiting.isEmpty {
      for place in waiting {
        if case .failed(let error)? = hubs[place].end { throw error }
        if hubs[place].latest != nil || hubs[place].end != nil { waiting.remove(place) }
      }
      if waiting.isEmpty { break }
      let news = await signals.news()
      if news.isOver { throw CancellationError() }
    }
    for place in hubs.indices { signals.mark(place) }
  }

  /// Writes until the client goes, a reactor ends, or the server is to end.
  func write(to writer: inout any ResponseBodyWriter) async throws {
    let (signals, connection) = (signals, ServedConnection.current)
    try await withGracefulShutdownHandler {
      try await writeEvents(to: &writer)
    } onGracefulShutdown: {
      signals.end()
      connection?.end()
    }
    try await writer.finish(nil)
  }

  private func writeEvents(to writer: inout any ResponseBodyWriter) async throws {
    var places = places
    try await write([ByteBuffer(string: "retry: \(retry.milliseconds)\n\n")], to: &writer)
    while true {
      let news = await signals.news()
      var (buffers, hasEnded) = ([ByteBuffer](), false)
      for place in news.changed.sorted() {
        hasEnded = hasEnded || hubs[place].end != nil
        guard let frame = hubs[place].latest, places[place] != frame.place else { continue }
        places[place] = frame.place
        buffers += event(frame, of: hubs[place], places: places)
      }
      if !buffers.isEmpty, !Task.isCancelled { try await write(buffers, to: &writer) }
      if hasEnded { tellFailures() }
      if news.isOver || hasEnded { return }
      if news.isSilent, buffers.isEmpty { try await write([Self.heartbeat], to: &writer) }
    }
  }

  private func write(_ buffers: [ByteBuffer], to writer: inout any ResponseBodyWriter) async throws
  {
    defer { signals.hasWritten() }
    if buffers.count == 1 {
      try await writer.write(buffers[0])
    } else {
      try await writer.write(contentsOf: buffers)
    }
  }

  /// One event: the same memory for all, but for its head where a stream has several sources.
  private func event(
    _ frame: LiveFrame, of hub: any LiveHubbing, places: [String?]
  ) -> [ByteBuffer] {
    guard hubs.count > 1 || hub.label != nil else { return [frame.event] }
    let id = places.map { $0 ?? "" }.joined(separator: ",")
    let name = hub.label.map { "event: \($0)\n" } ?? ""
    return [ByteBuffer(string: "id: \(id)\n\(name)"), frame.data]
  }

  private func tellFailures() {
    for hub in hubs {
      if case .failed(let error)? = hub.end, !(error is CancellationError) {
        let text = ReportText.text(ofError: error)
        logger.error("a live stream ended", metadata: ["error": "\(text)"])
      }
    }
  }

  private static let heartbeat = ByteBuffer(string: ":\n\n")

  /// What a client has seen, one after the other as it has asked for them.
  private static func places(in lastEventID: String?, count: Int) -> [String?] {
    let all = lastEventID?.split(separator: ",", omittingEmptySubsequences: false) ?? []
    guard all.count == count else { return Array(repeating: nil, count: count) }
    return all.map { $0.isEmpty ? nil : String($0) }
  }
}

extension Duration {
  /// In whole milliseconds.
  var milliseconds: Int64 {
    components.seconds * 1000 + components.attoseconds / 1_000_000_000_000_000
  }
}
