/// Whoever is told of states, whatever their type.
package protocol AnyStoreSubscriber: AnyObject {
  func receiveAny(_ state: Any)
}

/// Whoever is told of states of one type.
package protocol StoreSubscriber<State>: AnyStoreSubscriber {
  associatedtype State
  func receive(_ state: State)
}

extension StoreSubscriber {
  package func receiveAny(_ state: Any) {
    if let state = state as? State { receive(state) }
  }
}

/// Passes old and new states on to one observer.
final class StoreSignal<State> {
  var observer: ((State?, State) -> Void)?

  init() {}

  init(_ connect: (@escaping (State?, State) -> Void) -> Void) {
    connect { old, new in self.send(old, new) }
  }

  func send(_ old: State?, _ new: State) { observer?(old, new) }

  /// Another one, for those that are no repeats.
  func leavingOut(_ isRepeat: @escaping (State, State) -> Bool) -> StoreSignal {
    StoreSignal { sink in
      self.observer = { old, new in
        switch (old, new) {
        case (let previous?, let next): if !isRepeat(previous, next) { sink(old, new) }
        default: sink(old, new)
        }
      }
    }
  }
}

/// A subscriber, held weakly, with the two signals by which states come to it.
final class StoreEntry<State>: Hashable {
  private let all: StoreSignal<State>
  private(set) weak var subscriber: (any AnyStoreSubscriber)?
  private let identifier: ObjectIdentifier

  init(
    _ all: StoreSignal<State>, _ selected: StoreSignal<State>, _ subscriber: any AnyStoreSubscriber
  ) {
    self.all = all
    self.subscriber = subscriber
    identifier = ObjectIdentifier(subscriber)
    selected.observer = { [unowned self] _, state in self.subscriber?.receiveAny(state as Any) }
  }

  func pass(from old: State?, to new: State) { all.send(old, new) }

  static func == (left: StoreEntry, right: StoreEntry) -> Bool {
    left.identifier == right.identifier
  }

  func hash(into hasher: inout Hasher) { hasher.combine(identifier) }
}
