/// What an end has cut short, as far as the ledger knows: its part in the ``StopBook``.
extension SettlingLedger {
  /// Whether no work is open.
  var isEmpty: Bool { contents.withLock { $0.open.isEmpty } }

  func isEverythingSettled(in life: UInt64) -> Bool {
    contents.withLock { $0.life != life || $0.isStopped && $0.open.isEmpty }
  }

  /// Remembers what the end is about to cut short.
  func willAbandon(_ actions: [OpenAction]) {
    contents.withLock { contents in
      if actions.isEmpty, contents.stopBook == nil { return }
      let book = contents.openStopBook()
      (book.life, book.abandoned) = (contents.life, actions)
    }
  }

  /// A latch that opens when the end has come; `nil` if it has.
  func latchForEnd(of life: UInt64) -> Latch? {
    contents.withLock { contents in
      guard life == contents.life, !contents.isStopped else { return nil }
      let latch = Latch()
      contents.openStopBook().waiters.append(latch)
      return latch
    }
  }

  /// Drops a latch that nobody waits at any longer, for an end or for an idle moment.
  func forget(_ latch: Latch) {
    contents.withLock { contents in
      contents.stopWaiters.removeAll { $0 === latch }
      contents.idleWaiters.removeAll { $0 === latch }
    }
  }

  func abandoned(in life: UInt64) -> [OpenAction] {
    contents.withLock { $0.stopBook.map { $0.life == life ? $0.abandoned : [] } ?? [] }
  }
}

extension SettlingLedger.Contents {
  fileprivate mutating func openStopBook() -> StopBook {
    if let stopBook { return stopBook }
    let book = StopBook()
    stopBook = book
    return book
  }
}
