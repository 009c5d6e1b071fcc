import Foundation
import HTTPTypes
import Logging
import Reactor
import ReactorRuntime

/// A source of live states, as a page sees it: `room` of the key `lobby`.
protocol LiveSource: Sendable {
  /// What it is called in events; `nil` where a stream has no other.
  var name: String? { get }

  /// Lets a client look at the states of one reactor, which it knows by a number.
  func join(_ signals: LiveSignals, key: String?, as place: Int) throws -> any LiveHubbing
}

/// The place where one reactor's states come in, are encoded, and go out to all who look.
protocol LiveHubbing: AnyObject, Sendable {
  var label: String? { get }
  var latest: LiveFrame? { get }
  /// Whether nothing more will come; and why, if it is an error.
  var end: LiveEnd? { get }
  /// Waits until the newest frame is not from before the client joined.
  func caughtUp(_ signals: LiveSignals) async
  func leave(_ signals: LiveSignals)
}

enum LiveEnd: Sendable {
  case reactorEnded
  case failed(any Error)
}

/// Encodes the states of one reactor once, for as long as a client looks.
///
/// Only the newest is kept: a client that is slow finds it when it comes back.
///
/// Holds: `state`, guarded by its own lock; clients are told outside it.
final class LiveHub<Source: ReactorSource, View: Encodable & Sendable>: LiveHubbing {
  private struct Client: Sendable {
    let signals: LiveSignals
    let source: Int
  }

  private struct State: Sendable {
    var latest: LiveFrame?
    var json: Data?
    var end: LiveEnd?
    var clients: [ObjectIdentifier: Client] = [:]
    var feeding: Task<Void, Never>?
    /// The states that are followed, once they are.
    var states: StateStream<Source.R.State>?
    /// What the reactor had when a client joined later, by its signals.
    var marks: [ObjectIdentifier: RelayMark] = [:]
  }

  private let state = Guarded(State())
  /// How far the frames have come, which are behind the states.
  private let progress = RelayProgress()
  private let source: Source
  private let key: Source.Key
  private let select: @Sendable (Source.R.State) -> View
  private let isDeserted: @Sendable (LiveHub) -> Void
  let label: String?

  init(
    _ source: Source, _ key: Source.Key, label: String?,
    select: @escaping @Sendable (Source.R.State) -> View,
    isDeserted: @escaping @Sendable (LiveHub) -> Void
  ) {
    self.source = source
    self.key = key
    self.label = label
    self.select = select
    self.isDeserted = isDeserted
  }

  var latest: LiveFrame? { state.withLock { $0.latest } }

  var end: LiveEnd? { state.withLock { $0.end } }

  func join(_ signals: LiveSignals, as source: Int) {
    let id = ObjectIdentifier(signals)
    let (hasNews, states) = state.withLock { state in
      state.clients[id] = Client(signals: signals, source: source)
      if state.feeding == nil { state.feeding = feed() }
      return (state.latest != nil || state.end != nil, state.states)
    }
    // Before they are followed, nothing is from before this client.
    if let states {
      let mark = progress.mark(states)
      state.withLock { $0.marks[id] = mark }
    }
    if hasNews { signals.mark(source) }
  }

  func caughtUp(_ signals: LiveSignals) async {
    let mark = state.withLock { $0.marks.removeValue(forKey: ObjectIdentifier(signals)) }
    await mark?.passed()
  }

  func leave(_ signals: LiveSignals) {
    let (isLast, mark) = state.withLock { state in
      state.clients[ObjectIdentifier(signals)] = nil
      let mark = state.marks.removeValue(forKey: ObjectIdentifier(signals))
      return (state.clients.isEmpty, mark)
    }
    withExtendedLifetime(mark) {}
    if isLast { isDeserted(self) }
  }

  /// No client looks any more, and none will come.
  func close() { state.withLock { $0.feeding }?.cancel() }

  var hasClients: Bool { state.withLock { !$0.clients.isEmpty } }

  // MARK: The states

  private func feed() -> Task<Void, Never> {
    // Of no request: neither its task-local values nor its end are the hub's.
    Task.detached { [self] in
      do {
        try await source.with(key) { try await follow($0) }
        finish(.reactorEnded)
      } catch {
        finish(.failed(error))
      }
    }
  }

  private func follow(_ reactor: Source.R) async throws {
    let encoder = JSONEncoder.ofReactors
    let number = reactor.identity.number
    let all = reactor.state
    var states = all.buffering(.newest).makeAsyncIterator()
    state.withLock { $0.states = all }
    while let next = await states.next() {
      let version = states.version ?? 0
      let json = try encoder.encode(select(next))
      show(json, at: LiveFrame.place(reactor: number, version: version, json: json))
      progress.pass(version, shown: version)
    }
  }

  private func show(_ json: Data, at place: String) {
    let clients = state.withLock { state -> [Client] in
      guard state.json != json else { return [] }
      state.json = json
      state.latest = LiveFrame(place: place, json: json)
      return Array(state.clients.values)
    }
    for client in clients { client.signals.mark(client.source) }
  }

  private func finish(_ end: LiveEnd) {
    let clients = state.withLock { state in
      state.end = end
      state.states = nil
      return Array(state.clients.values)
    }
    progress.finish()
    for client in clients { client.signals.mark(client.source) }
  }
}

/// The hubs of one source of states, by the keys that a client looks at.
final class LiveStates<Source: ReactorSource, View: Encodable & Sendable>: LiveSource {
  typealias Hub = LiveHub<Source, View>

  private let hubs = Guarded<[Source.Key: Hub]>([:])
  private let source: Source
  private let keyed: @Sendable (String?) throws -> Source.Key
  private let select: @Sendable (Source.R.State) -> View
  let name: String?

  init(
    _ name: String?, _ source: Source, keyed: @escaping @Sendable (String?) throws -> Source.Key,
    select: @escaping @Sendable (Source.R.State) -> View
  ) {
    self.name = name
    self.source = source
    self.keyed = keyed
    self.select = select
  }

  func join(_ signals: LiveSignals, key: String?, as place: Int) throws -> any LiveHubbing {
    let id = try keyed(key)
    // A line's end would end the line of the event's name.
    guard key?.contains(where: \.isNewline) != true else {
      throw ReactorHTTPError(.badRequest, reason: "key", "a key has one line")
    }
    // Under the lock, so that it is not closed before the client is in it.
    return hubs.withLock { hubs in
      let hub = hub(id, text: key, in: &hubs)
      hub.join(signals, as: place)
      return hub
    }
  }

  private func hub(_ key: Source.Key, text: String?, in hubs: inout [Source.Key: Hub]) -> Hub {
    // One that has ended is of no use to those who come now: their reactor is made anew.
    if let hub = hubs[key], hub.end == nil { return hub }
    let label = name.map { name in text.map { "\(name)/\($0)" } ?? name }
    let hub = Hub(source, key, label: label, select: select) { [weak self] in
      self?.close($0, key)
    }
    hubs[key] = hub
    return hub
  }

  /// Releases a hub at which no client looks.
  private func close(_ hub: Hub, _ key: Source.Key) {
    let isClosed = hubs.withLock { hubs in
      // A client may have come meanwhile.
      guard !hub.hasClients else { return false }
      if hubs[key] === hub { hubs[key] = nil }
      return true
    }
    if isClosed { hub.close() }
  }
}

extension JSONEncoder {
  /// How states and answers are written: the same value always the same.
  ///
  /// One for all, since making one takes as long as a small answer; it is never changed.
  static let ofReactors: JSONEncoder = {
    let encoder = JSONEncoder()
    encoder.dateEncodingStrategy = .iso8601
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return encoder
  }()
}
