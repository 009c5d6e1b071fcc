/// The ends of reactors that do nothing now, for those who ask late.
///
/// They stand in one place, of the process and bounded, so that a reactor need not keep them for
/// the rest of its life: of a million of them each may have failed once. When there is no room, the
/// book that was put here first goes.
///
/// Holds: the shelf, guarded by its own lock. What is in a book is guarded by the ledger that it
/// belongs to, under whose lock all of this is called.
enum EndArchive {
  /// How many reactors' books there is room for.
  static let room = 65_536

  struct Shelf {
    var room = EndArchive.room
    var books: [UInt: (book: EndBook, ticket: UInt64)] = [:]
    /// In the order in which they came; those that have been taken out since are among them.
    var order: ArraySlice<(key: UInt, ticket: UInt64)> = []
    var lastTicket: UInt64 = 0

    mutating func keep(_ book: EndBook) -> EndBook? {
      lastTicket += 1
      books[book.key] = (book, lastTicket)
      order.append((book.key, lastTicket))
      if order.count > 2 * room {
        order = order.filter { books[$0.key]?.ticket == $0.ticket }[...]
      }
      guard books.count > room else { return nil }
      while let oldest = order.popFirst() {
        guard books[oldest.key]?.ticket == oldest.ticket else { continue }
        return books.removeValue(forKey: oldest.key)?.book
      }
      return nil
    }

    mutating func take(_ key: UInt) -> EndBook? { books.removeValue(forKey: key)?.book }
  }

  private static let shelf = Guarded(Shelf())

  static func keep(_ book: EndBook) {
    // Released outside the lock: with a book go errors, whose `deinit` is anybody's.
    let gone = shelf.withLock { $0.keep(book) }
    withExtendedLifetime(gone) {}
  }

  /// Whether the ends of this reactor are here.
  static func has(_ key: UInt) -> Bool { look(key) != nil }

  static func look(_ key: UInt) -> EndBook? { shelf.withLock { $0.books[key]?.book } }

  static func take(_ key: UInt) -> EndBook? {
    shelf.withLock { $0.take(key) }
  }

  static func forget(_ key: UInt) { withExtendedLifetime(take(key)) {} }
}
