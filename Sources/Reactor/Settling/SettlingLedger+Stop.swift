/// What an end has cut short, as far as the ledger knows: its part in the ``StopBook``.
extension SettlingLedger {
  /// Which of the reactor's lives this is; the one place that counts them.
  @usableFromInline var life: UInt32 { contents.withLock { $0.life } }

  /// Whether this life has yet to end.
  func isGoingOn(_ life: UInt32) -> Bool {
    contents.withLock { $0.life == life && !$0.isStopped }
  }

  /// Whether no work is open.
  var isEmpty: Bool { contents.withLock { $0.open.isEmpty } }

  func isEverythingSettled(in life: UInt32) -> Bool {
    contents.withLock { $0.life != life || $0.isStopped && $0.open.isEmpty }
  }

  /// Remembers what the end is about to cut short.
  func willAbandon(_ actions: [OpenAction]) {
    contents.withLock { contents in
      (contents.stopBook.life, contents.stopBook.abandoned) = (contents.life, actions)
    }
  }

  /// Of the actions that ran, only these are cut short.
  @usableFromInline
  func willAbandon(only running: Set<UInt64>) {
    contents.withLock { contents in
      guard !contents.stopBook.abandoned.isEmpty else { return }
      contents.stopBook.abandoned.removeAll { action in
        guard case .running = action.standing else { return false }
        return !running.contains(action.number.rawValue)
      }
    }
  }

  /// A latch that opens when the end has come; `nil` if it has.
  func latchForEnd(of life: UInt32) -> Latch? {
    contents.withLock { contents in
      guard life == contents.life, !contents.isStopped else { return nil }
      let latch = Latch()
      contents.stopBook.endWaiters.append(latch)
      return latch
    }
  }

  /// Drops a latch that nobody waits at any longer, for an end or for an idle moment.
  func forget(_ latch: Latch) {
    contents.withLock { contents in
      contents.stopBook.stopWaiters.remove(latch.id)
      contents.stopBook.idleWaiters.remove(latch.id)
    }
  }

  func abandoned(in life: UInt32) -> [OpenAction] {
    contents.withLock { contents in
      let book = contents.stopBook
      return book.life == life ? book.abandoned : []
    }
  }
}
