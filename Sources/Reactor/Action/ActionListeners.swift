public import Synchronization

/// Everybody who has opened a stream of a reactor's actions.
///
/// Holds: `contents`, guarded by its own lock; `hasAny`, which says without it whether there are some.
@usableFromInline
struct ActionListeners<Action: Sendable>: ~Copyable, Sendable {
  struct Contents: Sendable {
    var channels: [Weak] = []
    var isFinished = false
  }

  /// Weak, so that a stream that nobody holds any longer is not fed.
  struct Weak: Sendable {
    weak var channel: ActionChannel<Action>?
  }

  private let contents = Guarded(Contents())
  @usableFromInline let hasAny = Atomic(false)

  @usableFromInline
  init() {}

  /// Opens a stream of what is taken from now on.
  func open(_ isIncluded: @escaping @Sendable (Action) -> Bool) -> ActionStream<Action> {
    let channel = ActionChannel(isIncluded)
    let isFinished = contents.withLock { contents in
      contents.channels.removeAll { $0.channel == nil }
      if !contents.isFinished {
        contents.channels.append(Weak(channel: channel))
        hasAny.store(true, ordering: .releasing)
      }
      return contents.isFinished
    }
    if isFinished { channel.finish() }
    return ActionStream(channel: channel)
  }

  /// Tells everybody of an action.
  @usableFromInline
  func tell(_ action: Action) {
    let channels = contents.withLock { contents in
      contents.channels.removeAll { $0.channel == nil }
      if contents.channels.isEmpty { hasAny.store(false, ordering: .releasing) }
      return contents.channels.compactMap(\.channel)
    }
    for channel in channels { channel.tell(action) }
  }

  /// Nothing more will be taken.
  func finish() {
    let channels = contents.withLock { contents in
      contents.isFinished = true
      defer { contents.channels = [] }
      return contents.channels.compactMap(\.channel)
    }
    for channel in channels { channel.finish() }
  }

  /// More will be taken after all.
  func reopen() { contents.withLock { $0.isFinished = false } }
}
