/// An emitter whose type of mutations is not known.
protocol AnyEmitter: Sendable {
  /// Reports an error that does not end the effect.
  func report(_ error: any Error) async
}

extension MutationEmitter: AnyEmitter {
  func report(_ error: any Error) async { effect?.partFailed(with: error) }

  /// The emitter of a part with this type of mutations.
  init(_ emit: any AnyEmitter) {
    guard let emit = emit as? MutationEmitter else {
      preconditionFailure("a part was given an emitter of other mutations")
    }
    self = emit
  }
}
