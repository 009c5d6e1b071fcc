// A report and an identity name the type of their reactor, and lie below all that knows reactors.
// So they keep it as any type, and are given it and give it back here.

extension ReactorReport {
  /// The type of the reactor.
  public var reactor: any Reactor.Type { reactorType(type) }

  /// A report, as the pipeline makes it; for tests and for forwarding by hand.
  ///
  /// - Parameters:
  ///   - reactor: The type of the reactor.
  ///   - identity: Which reactor it was, if that is known.
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

  /// An identity, as a reactor has it; for tests and for forwarding by hand.
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
