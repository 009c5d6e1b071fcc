import NIOCore
import Reactor
import ReactorRuntime

/// A client's connection: knows when the client has gone, and whether there is room for more.
///
/// Holds: `state`, guarded by its own lock; the task is cancelled, and the channel closed, outside
/// it.
final class ServedConnection: ChannelInboundHandler, Sendable {
  typealias InboundIn = Any

  /// The one that the request being handled has come by; `nil` where the server was not built with
  /// `http1(serving:)`.
  @TaskLocal static var current: ServedConnection?

  private struct State: Sendable {
    var task: Task<Void, Never>?
    var isGone = false
    var isWritable = true
    /// Whether what does not fit at once is not waited with any longer.
    var isEnding = false
    /// Whether a request has begun to come, and has not come to its end.
    var isReceiving = false
    /// Whether it was given up because of that.
    var isCutShort = false
    /// Whether the service has no more time.
    var isTimeUp = false
    /// The channel, once the last answer is being written to it.
    var closing: (any Channel)?
  }

  private let state = Guarded(State())

  /// Handles the connection's requests; cancelled when the client has gone.
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
    // Not kept by the channel, which may last a little longer.
    state.withLock { $0.task = nil }
  }

  /// The client has gone, or is not waited for any longer.
  func cancel() {
    let (task, channel) = state.withLock { state in
      state.isGone = true
      defer { state.closing = nil }
      return (state.task, state.closing)
    }
    task?.cancel()
    channel?.close(promise: nil)
  }

  /// The server is to end: what is written to this client is what there is room for.
  ///
  /// A client that does not read would be waited for, for as long as that may be.
  func end() {
    let isStuck = state.withLock { state in
      state.isEnding = true
      return !state.isWritable
    }
    if isStuck { cancel() }
  }

  /// The connection ends with what is being written to its client.
  ///
  /// - Parameter channel: Its channel, which is closed before that where the service has no more
  ///   time.
  /// - Returns: Whether that is waited for at all.
  func waits(for channel: any Channel) -> Bool {
    state.withLock { state in
      let waits = !state.isGone && !state.isEnding && !state.isTimeUp
      if waits { state.closing = channel }
      return waits
    }
  }

  /// A request's head has come, or its end.
  func receives(_ isReceiving: Bool) { state.withLock { $0.isReceiving = isReceiving } }

  /// The service has no more time: what a client has yet to send, or to read of its last answer, is
  /// not waited for.
  func timeIsUp() {
    let isCut = state.withLock { state in
      state.isTimeUp = true
      state.isCutShort = state.isReceiving
      return state.isCutShort || state.closing != nil
    }
    if isCut { cancel() }
  }

  var isCutShort: Bool { state.withLock { $0.isCutShort } }

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
