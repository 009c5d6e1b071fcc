/// An emitter whose type of mutations is not known.
protocol AnyEmitter: AnyObject, Sendable {
  /// Reports an error that does not end the effect.
  func report(_ error: any Error) async
}

final class EmitterBox<Mutation: Sendable>: AnyEmitter {
  let emit: MutationEmitter<Mutation>

  init(_ emit: MutationEmitter<Mutation>) { self.emit = emit }

  func report(_ error: any Error) async { await emit.report(error) }
}

extension MutationEmitter {
  /// The emitter of a part of this type.
  init(_ emit: any AnyEmitter) {
    guard let box = emit as? EmitterBox<Mutation> else {
      preconditionFailure("a part was given an emitter of other mutations")
    }
    self = box.emit
  }
}
