public import OpenCombine

extension Publisher where Failure == Never, Output: Sendable {
  /// The elements from now on, as an async sequence that loses none.
  ///
  /// `values` demands one element at a time, so a `PassthroughSubject` drops what it sends in
  /// between. This subscribes at once, and buffers what has not been read.
  ///
  /// - Returns: The elements; the subscription ends when the sequence is released.
  public func elements() -> AsyncStream<Output> {
    AsyncStream { continuation in
      let subscription = sink { _ in
        continuation.finish()
      } receiveValue: {
        continuation.yield($0)
      }
      continuation.onTermination = cancelling(subscription)
    }
  }
}

extension Publisher where Output: Sendable {
  /// The elements from now on, and then the failure; as ``elements()``.
  ///
  /// - Returns: The elements.
  public func throwingElements() -> AsyncThrowingStream<Output, any Error> {
    AsyncThrowingStream { continuation in
      let subscription = sink { completion in
        switch completion {
        case .finished: continuation.finish()
        case .failure(let error): continuation.finish(throwing: error)
        }
      } receiveValue: {
        continuation.yield($0)
      }
      continuation.onTermination = cancelling(subscription)
    }
  }
}

/// A subscription can be cancelled on any thread, but its type does not say so.
private struct SendableSubscription: @unchecked Sendable {
  let subscription: AnyCancellable
}

private func cancelling<Reason>(
  _ subscription: AnyCancellable
) -> @Sendable (Reason) -> Void {
  let subscription = SendableSubscription(subscription: subscription)
  return { _ in subscription.subscription.cancel() }
}
