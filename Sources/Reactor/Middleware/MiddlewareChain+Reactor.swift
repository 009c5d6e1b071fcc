extension MiddlewareChain {
  /// The stages of a reactor: its own copies, in order.
  init<R: Reactor>(
    _ middleware: [any ActionMiddleware], of core: Engine<R>
  ) where Action == R.Action, State == R.State {
    var chain = middleware
    // The chain is the engine's own, and gone when that is.
    self.init { [unowned core] action, number, state in
      let context = MiddlewareContext<R>(
        state: state, actionNumber: ActionNumber(rawValue: number), core: core)
      // Moved out and in again: so they are changed in place, and an action may come by here once
      // more meanwhile.
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
