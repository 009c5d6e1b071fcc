import NIOCore
import Reactor
import ReactorRuntime

/// The connection of a client: detects that the client has disconnected, and whether more can be
/// written.
///
/// Holds: `state`, guarded by its own lock. The task is cancelled, and the channel closed, outside
/// the lock.
final class ServedConnection: ChannelInboundHandler, Sendable {
  typealias InboundIn = Any

  /// The connection of the current request; `nil` if the server was not built with
  /// `http1(serving:)`.
  @TaskLocal static var current: ServedConnection?

  private struct State: Sendable {
    var task: Task<Void, Never>?
    var isGone = false
    var isWritable = true
    /// Whether the connection ends if it is not writable, instead of waiting for the client.
    var isEnding = false
    /// Whether a request is arriving and is not complete.
    var isReceiving = false
    /// Whether the connection was closed while a request was arriving.
    var isTruncated = false
    /// Whether the service has no more time.
    var hasDrainTimedOut = false
    /// The channel, once the last response is being written to it.
    var closing: (any Channel)?
  }

  private let state = Guarded(State())

  /// Handles the requests of the connection; it is cancelled when the client has disconnected.
  func run(_ body: @escaping @Sendable () async -> Void) async {
    let task = Self.$current.withValue(self) { Task { await body() } }
    let isGone = state.withLock { state in
      state.task = task
      return state.isGone
    }
    if isGone { task.cancel() }
    await withTaskCancellationHandler {
      await task.value
    } onCancel: {
      task.cancel()
    }
    // The channel may exist a little longer, and must not keep the task.
    state.withLock { $0.task = nil }
  }

  /// Ends the connection: the client has disconnected, or is no longer waited for.
  func cancel() {
    let (task, channel) = state.withLock { state in
      state.isGone = true
      defer { state.closing = nil }
      return (state.task, state.closing)
    }
    task?.cancel()
    channel?.close(promise: nil)
  }

  /// Called when the server shuts down; from now on the connection ends if it is not writable.
  ///
  /// Otherwise the server would wait for a client that does not read, without a limit.
  func end() {
    let isStuck = state.withLock { state in
      state.isEnding = true
      return !state.isWritable
    }
    if isStuck { cancel() }
  }

  /// Records that the connection ends with the response that is being written.
  ///
  /// - Parameter channel: The channel, which is closed earlier if the service has no more time.
  /// - Returns: Whether the end of the response is awaited at all.
  func shouldAwaitResponseEnd(on channel: any Channel) -> Bool {
    state.withLock { state in
      let isAwaited = !state.isGone && !state.isEnding && !state.hasDrainTimedOut
      if isAwaited { state.closing = channel }
      return isAwaited
    }
  }

  /// Records that a request begins to arrive, or is complete.
  func setReceiving(_ isReceiving: Bool) { state.withLock { $0.isReceiving = isReceiving } }

  /// Called when the service has no more time; incomplete requests and responses are no longer
  /// waited for.
  func drainTimedOut() {
    let isCut = state.withLock { state in
      state.hasDrainTimedOut = true
      state.isTruncated = state.isReceiving
      return state.isTruncated || state.closing != nil
    }
    if isCut { cancel() }
  }

  var isTruncated: Bool { state.withLock { $0.isTruncated } }

  func channelWritabilityChanged(context: ChannelHandlerContext) {
    let isWritable = context.channel.isWritable
    let isStuck = state.withLock { state in
      state.isWritable = isWritable
      return state.isEnding && !isWritable
    }
    if isStuck { cancel() }
    context.fireChannelWritabilityChanged()
  }

  func channelInactive(context: ChannelHandlerContext) {
    cancel()
    context.fireChannelInactive()
  }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    if case ChannelEvent.inputClosed? = event as? ChannelEvent { cancel() }
    context.fireUserInboundEventTriggered(event)
  }
}
