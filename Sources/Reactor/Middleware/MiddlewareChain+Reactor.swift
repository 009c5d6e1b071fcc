extension MiddlewareChain {
  /// Creates the chain of a reactor's own copies of the stages, in order.
  init<R: Reactor>(
    _ middleware: [any ActionMiddleware], of core: Engine<R>
  ) where Action == R.Action, State == R.State {
    var chain = middleware
    // The engine owns the chain, which is released with it.
    self.init { [unowned core] action, number, state in
      let context = MiddlewareContext<R>(
        state: state, actionNumber: ActionNumber(rawValue: number), core: core)
      // Moved out and back, so that the stages are changed in place, and another action may pass
      // the chain meanwhile.
      var moved: [any ActionMiddleware] = []
      swap(&moved, &chain)
      defer { swap(&moved, &chain) }
      for place in moved.indices {
        switch moved[place].handle(action, in: context) {
        case .pass: break
        case .change(let other): action = other
        case .drop(let reason): return reason
        }
      }
      return nil
    }
  }
}
