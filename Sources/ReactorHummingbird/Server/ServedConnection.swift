import NIOCore
import Reactor

/// A client's connection: knows when the client has gone.
///
/// Holds: `state`, guarded by its own lock; the task is cancelled outside it.
final class ServedConnection: ChannelInboundHandler, Sendable {
  typealias InboundIn = Any

  /// The one that the request being handled has come by; `nil` where the server was not built with
  /// `http1(serving:)`.
  @TaskLocal static var current: ServedConnection?

  private struct State: Sendable {
    var task: Task<Void, Never>?
    var isGone = false
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
    let task = state.withLock { state in
      state.isGone = true
      return state.task
    }
    task?.cancel()
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
