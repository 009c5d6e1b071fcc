import Foundation
import HTTPTypes
import Logging
import Reactor
import ReactorRuntime

/// A source of live states, such as the view `cart` with the key `42`.
protocol LiveSource: Sendable {
  /// The name of its events; `nil` if the stream has only one source.
  var name: String? { get }

  /// Subscribes a client to the states of one reactor, which the client identifies by a number.
  func subscribe(_ notifications: LiveNotifications, key: String?, as place: Int) throws
    -> any AnyLiveHub
}

/// Receives the states of one reactor, encodes them, and sends them to all subscribed clients.
protocol AnyLiveHub: AnyObject, Sendable {
  var label: String? { get }
  var latest: LiveFrame? { get }
  /// The end, once nothing more will follow.
  var end: LiveEnd? { get }
  /// Waits until the newest frame is not older than the client's subscription.
  func waitForCurrentFrame(_ notifications: LiveNotifications) async
  func unsubscribe(_ notifications: LiveNotifications)
}

enum LiveEnd: Sendable {
  case reactorEnded
  case failed(any Error)
}

/// Encodes each state of one reactor once, as long as a client is subscribed.
///
/// Only the newest state is kept, and a slow client gets it when it is ready.
///
/// Holds: `state`, guarded by its own lock. Clients are notified outside the lock.
final class LiveHub<Source: ReactorSource, View: Encodable & Sendable>: AnyLiveHub {
  private struct Client: Sendable {
    let notifications: LiveNotifications
    let source: Int
  }

  private struct State: Sendable {
    var latest: LiveFrame?
    var json: Data?
    var end: LiveEnd?
    var clients: [ObjectIdentifier: Client] = [:]
    var feedTask: Task<Void, Never>?
    /// The stream of states, once it is being iterated.
    var states: StateStream<Source.R.State>?
    /// The reactor's position when a later client subscribed, by its notifications.
    var marks: [ObjectIdentifier: RelayMark] = [:]
  }

  private let state = Guarded(State())
  /// The progress of the frames, which follow the states with a delay.
  private let progress = RelayProgress()
  private let source: Source
  private let key: Source.Key
  private let select: @Sendable (Source.R.State) -> View
  private let onLastUnsubscribe: @Sendable (LiveHub) -> Void
  let label: String?

  init(
    _ source: Source, _ key: Source.Key, label: String?,
    select: @escaping @Sendable (Source.R.State) -> View,
    onLastUnsubscribe: @escaping @Sendable (LiveHub) -> Void
  ) {
    self.source = source
    self.key = key
    self.label = label
    self.select = select
    self.onLastUnsubscribe = onLastUnsubscribe
  }

  var latest: LiveFrame? { state.withLock { $0.latest } }

  var end: LiveEnd? { state.withLock { $0.end } }

  func subscribe(_ notifications: LiveNotifications, as source: Int) {
    let id = ObjectIdentifier(notifications)
    let (isAvailable, states) = state.withLock { state in
      state.clients[id] = Client(notifications: notifications, source: source)
      if state.feedTask == nil { state.feedTask = startFeeding() }
      return (state.latest != nil || state.end != nil, state.states)
    }
    // If the iteration has not begun, no frame is older than this client.
    if let states {
      let mark = progress.mark(states)
      state.withLock { $0.marks[id] = mark }
    }
    if isAvailable { notifications.markChanged(source) }
  }

  func waitForCurrentFrame(_ notifications: LiveNotifications) async {
    let mark = state.withLock { $0.marks.removeValue(forKey: ObjectIdentifier(notifications)) }
    await mark?.passed()
  }

  func unsubscribe(_ notifications: LiveNotifications) {
    let (isLast, mark) = state.withLock { state in
      state.clients[ObjectIdentifier(notifications)] = nil
      let mark = state.marks.removeValue(forKey: ObjectIdentifier(notifications))
      return (state.clients.isEmpty, mark)
    }
    withExtendedLifetime(mark) {}
    if isLast { onLastUnsubscribe(self) }
  }

  /// Ends the iteration; no client is subscribed any more, and none will be.
  func close() { state.withLock { $0.feedTask }?.cancel() }

  var hasClients: Bool { state.withLock { !$0.clients.isEmpty } }

  // MARK: The states

  private func startFeeding() -> Task<Void, Never> {
    // It is detached, since it must not inherit a request's task-local values or its cancellation.
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
      publish(json, as: LiveFrame.eventID(reactor: number, version: version, json: json))
      progress.pass(version, shown: version)
    }
  }

  private func publish(_ json: Data, as eventID: String) {
    let clients = state.withLock { state -> [Client] in
      guard state.json != json else { return [] }
      state.json = json
      state.latest = LiveFrame(eventID: eventID, json: json)
      return Array(state.clients.values)
    }
    for client in clients { client.notifications.markChanged(client.source) }
  }

  private func finish(_ end: LiveEnd) {
    let clients = state.withLock { state in
      state.end = end
      state.states = nil
      return Array(state.clients.values)
    }
    progress.finish()
    for client in clients { client.notifications.markChanged(client.source) }
  }
}

/// The hubs of one source, by key.
final class KeyedLiveHubs<Source: ReactorSource, View: Encodable & Sendable>: LiveSource {
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

  func subscribe(_ notifications: LiveNotifications, key: String?, as place: Int) throws
    -> any AnyLiveHub
  {
    let id = try keyed(key)
    // A line break would end the line with the event's name.
    guard key?.contains(where: \.isNewline) != true else {
      throw ReactorHTTPError(.badRequest, reason: "key", "a key has one line")
    }
    // It runs under the lock, so that the hub is not closed before the client has joined.
    return hubs.withLock { hubs in
      let hub = hub(id, text: key, in: &hubs)
      hub.subscribe(notifications, as: place)
      return hub
    }
  }

  private func hub(_ key: Source.Key, text: String?, in hubs: inout [Source.Key: Hub]) -> Hub {
    // A hub that has ended cannot be used for new clients; their reactor is made again.
    if let hub = hubs[key], hub.end == nil { return hub }
    let label = name.map { name in text.map { "\(name)/\($0)" } ?? name }
    let hub = Hub(source, key, label: label, select: select) { [weak self] in
      self?.close($0, key)
    }
    hubs[key] = hub
    return hub
  }

  /// Removes a hub without clients.
  private func close(_ hub: Hub, _ key: Source.Key) {
    let isClosed = hubs.withLock { hubs in
      // A client may have joined meanwhile.
      guard !hub.hasClients else { return false }
      if hubs[key] === hub { hubs[key] = nil }
      return true
    }
    if isClosed { hub.close() }
  }
}

extension JSONEncoder {
  /// The encoder for states and answers; equal values give equal bytes.
  ///
  /// It is shared, since creating one takes as long as encoding a small answer. It is never
  /// changed.
  static let ofReactors: JSONEncoder = {
    let encoder = JSONEncoder()
    encoder.dateEncodingStrategy = .iso8601
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return encoder
  }()
}
