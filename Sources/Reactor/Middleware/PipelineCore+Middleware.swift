import ReactorMachines

/// The middleware that actions pass between the inbox and the first hook; see ``ActionMiddleware``.
///
/// A pipeline that has some looks at each action apart, as one does in which actions have been
/// cancelled; so one that has none pays nothing.
extension PipelineCore {
  func setMiddleware(_ middleware: [any ActionMiddleware]) {
    guard !middleware.isEmpty else { return }
    var chain = middleware
    // The chain is the pipeline's own, and gone when that is.
    details.middleware = MiddlewareChain { [unowned self] action, number, state in
      let context = MiddlewareContext<R>(
        state: state, actionNumber: ActionNumber(rawValue: number), core: self)
      // Moved out and in again: so they are changed in place, and one may come by here once more.
      var moved: [any ActionMiddleware] = []
      swap(&moved, &chain)
      defer { swap(&moved, &chain) }
      return Self.pass(&action, through: &moved, in: context)
    }
    decideWhetherToLook()
  }

  /// Sends an action through the middleware.
  ///
  /// - Returns: What has come out; `nil` if it was dropped, which has been told to everybody.
  @usableFromInline
  func passMiddleware(
    _ action: R.Action, number: UInt64, on reactor: isolated R
  ) -> R.Action? {
    guard let middleware = own.details?.pointee.middleware, phase != .stubbed else {
      return action
    }
    // It may be there to forbid something: better to trap than to let that pass unseen.
    guard let state = own.state else { preconditionFailure("an action before there is a state") }
    var action = action
    var reason: (any Error)?
    if mayHaveContext {
      let context = own.hasContextOrStage ? details.comingContext(of: number) : nil
      (context ?? .none).run { reason = middleware.pass(&action, number, state) }
    } else {
      reason = middleware.pass(&action, number, state)
    }
    guard let reason else { return action }
    drop(action, number, because: reason, on: reactor)
    return nil
  }

  /// - Returns: Why the action was dropped, if it was.
  private static func pass(
    _ action: inout R.Action, through chain: inout [any ActionMiddleware],
    in context: MiddlewareContext<R>
  ) -> (any Error)? {
    for place in chain.indices {
      switch chain[place].handle(action, in: context) {
      case .pass: break
      case .change(let other): action = other
      case .drop(let reason): return reason
      }
    }
    return nil
  }

  private func drop(
    _ action: R.Action, _ number: UInt64, because reason: any Error, on reactor: isolated R
  ) {
    note(.droppedByMiddleware(reason), of: number)
    if ReactorObservers.isAny { followObservers(on: reactor) }
    tell(.passedOver(action, number: number, arrival(of: number)))
    report(.droppedByMiddleware(reason), action, number)
    forgetContext(of: number)
    settleUntaken(number)
  }
}

extension ReactorPipeline {
  /// Storage for one reactor whose actions pass through middleware.
  ///
  /// - Parameters:
  ///   - name: What the reactor is called in reports, beside its type and number.
  ///   - limit: How many actions may wait, at least 1.
  ///   - suspendsSenders: Whether `await sendWhenRoom(_:)` waits while as many wait.
  ///   - carried: Which task-local values actions bring along from their senders; they are there in
  ///     the middleware, too.
  ///   - middleware: The stages, in the order in which an action passes them.
  ///   - first: An action that the reactor takes before any other; it passes them, too.
  public init(
    named name: String? = nil, inboxLimit limit: Int = .max, suspendsSenders: Bool = false,
    carrying carried: TaskLocals = .none,
    through middleware: [any ActionMiddleware], first: R.Action? = nil
  ) {
    core = PipelineCore(
      Inbox(limit: limit, suspendsSenders: suspendsSenders), carrying: carried,
      hasFirst: first != nil)
    core.setMiddleware(middleware)
    if let name { core.name(name) }
    if let first { core.putFirst(first) }
  }
}
