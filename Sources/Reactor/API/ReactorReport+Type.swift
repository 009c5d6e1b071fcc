// A report and an identity have the type of their reactor, but are defined in a layer that does not
// import `Reactor`. They store it as `Any.Type`, and these members convert it.

extension ReactorReport {
  /// The type of the reactor.
  public var reactor: any Reactor.Type { reactorType(type) }

  /// Creates a report like those of the pipeline; for tests and for forwarding.
  ///
  /// - Parameters:
  ///   - reactor: The type of the reactor.
  ///   - identity: The reactor's identity, if that is known.
  ///   - action: The action concerned, if any.
  ///   - actionNumber: Its number, if it has one.
  ///   - problem: What happened.
  public init(
    reactor: any Reactor.Type, identity: ReactorIdentity? = nil, action: (any Sendable)?,
    actionNumber: ActionNumber? = nil, problem: Problem
  ) {
    self.init(
      of: reactor, identity: identity, action: action, actionNumber: actionNumber,
      problem: problem)
  }
}

extension ReactorIdentity {
  /// The type of the reactor.
  public var type: any Reactor.Type { reactorType(reactor) }

  /// Creates an identity like those of reactors; for tests and for forwarding.
  ///
  /// - Parameters:
  ///   - type: The type of the reactor.
  ///   - number: Its number.
  ///   - name: Its name, if any.
  public init(type: any Reactor.Type, number: UInt64, name: String? = nil) {
    self.init(of: type, number: number, name: name)
  }
}

private func reactorType(_ type: Any.Type) -> any Reactor.Type {
  guard let type = type as? any Reactor.Type else {
    preconditionFailure("\(type) is no reactor, and was given as one")
  }
  return type
}
