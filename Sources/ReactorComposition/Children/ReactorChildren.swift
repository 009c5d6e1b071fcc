public import Reactor
import ReactorRuntime

/// The children of a reactor that belong to a collection in its state: one child for each key.
///
/// ```swift
/// actor HouseReactor: Reactor {
///   enum Action { case open(String), close(String) }
///   enum Mutation { case opened(String), closed(String), said(String, in: String) }
///   struct State { var rooms: Set<String> = [], lines: [String] = [] }
///
///   let initialState = State()
///   let pipeline = Pipeline()
///   let rooms: ReactorChildren<String, RoomReactor>
///
///   init(service: any RoomService) {
///     rooms = pipeline.children(\.rooms) { name, _ in
///       RoomReactor(name, service)
///     } output: { name, output in
///       switch output { case .said(let text): .said(text, in: name) }
///     }
///   }
///   …
/// }
///
/// house.rooms["lobby"]?.send(.say("hello"))
/// ```
///
/// Made by `children(_:ending:make:output:)` of the pipeline, which documents when children begin
/// and end. It keeps no reference to the parent, and it can be passed to other code.
public final class ReactorChildren<ID: Hashable & Sendable, Child: Reactor>: Sendable {
  private let table = Guarded([ID: Child]())

  init() {}

  /// The child of a key; `nil` if the key is not in the state.
  ///
  /// **Runs on** any thread: it reads a dictionary under a lock. A child is present before any
  /// observer receives the state that has its key.
  ///
  /// - Parameter id: The key.
  public subscript(id: ID) -> Child? { table.withLock { $0[id] } }

  /// All current children, by key.
  ///
  /// **Runs on** any thread.
  public var all: [ID: Child] { table.withLock { $0 } }

  /// The number of current children.
  ///
  /// **Runs on** any thread.
  public var count: Int { table.withLock { $0.count } }
}

extension ReactorChildren: ChildStorage {
  func put(_ child: Child, at id: ID) { table.withLock { $0[id] = child } }

  func remove(_ id: ID) {
    // Released outside the lock, since this may have been the last reference.
    let removed = table.withLock { $0.removeValue(forKey: id) }
    withExtendedLifetime(removed) {}
  }
}

/// The child of a reactor that belongs to an optional in its state, or to a case of an enum.
///
/// ```swift
/// let editor: ReactorChild<EditorReactor>
/// editor = pipeline.child(\.draft?.id) { id, state in EditorReactor(id) }
/// …
/// list.editor.reactor?.send(.save)
/// ```
///
/// Made by `child(_:ending:make:output:)` of the pipeline.
public final class ReactorChild<Child: Reactor>: Sendable {
  private let storage = Guarded<Child?>(nil)

  init() {}

  /// The child; `nil` while the state has no key for it.
  ///
  /// **Runs on** any thread.
  public var reactor: Child? { storage.withLock { $0 } }

  fileprivate func put(_ child: Child?) {
    let removed = storage.withLock { storage -> Child? in
      defer { storage = child }
      return storage
    }
    withExtendedLifetime(removed) {}
  }
}

/// Where the children of one kind are stored for look-up.
protocol ChildStorage<ID, Child>: AnyObject, Sendable {
  associatedtype ID: Hashable & Sendable
  associatedtype Child: Reactor
  func put(_ child: Child, at id: ID)
  func remove(_ id: ID)
}

/// The storage of a single optional child.
final class SingleChildStorage<ID: Hashable & Sendable, Child: Reactor>: ChildStorage {
  let child = ReactorChild<Child>()

  func put(_ child: Child, at id: ID) { self.child.put(child) }

  func remove(_ id: ID) { child.put(nil) }
}
