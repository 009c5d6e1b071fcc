/// The ends of reactors that do nothing now, for those who ask late.
///
/// They stand in one place, of the process and bounded, so that a reactor need not keep them for
/// the rest of its life: of a million of them each may have failed once. When there is no room, the
/// book that was put here first goes.
///
/// Holds: the shelf, guarded by its own lock. What is in a book is guarded by the ledger that it
/// belongs to, under whose lock all of this is called.
@usableFromInline
enum EndArchive {
  /// How many reactors' books there is room for.
  static let room = 65_536

  /// Books in the order in which they came, each of which may be taken out.
  struct Shelf {
    struct Place {
      let book: EndBook
      /// The keys of its neighbours; 0, which is nobody's, where there is none.
      var older: UInt
      var newer: UInt = 0
    }

    var room: Int
    private(set) var places: [UInt: Place] = [:]
    private var oldest: UInt = 0
    private var newest: UInt = 0

    init(room: Int) { self.room = room }

    /// - Returns: The book for which there is no room any more.
    mutating func keep(_ book: EndBook) -> EndBook? {
      places[book.key] = Place(book: book, older: newest)
      if newest == 0 { oldest = book.key } else { places[newest]?.newer = book.key }
      newest = book.key
      return places.count > room ? take(oldest) : nil
    }

    mutating func take(_ key: UInt) -> EndBook? {
      guard let place = places.removeValue(forKey: key) else { return nil }
      if place.older == 0 { oldest = place.newer } else { places[place.older]?.newer = place.newer }
      if place.newer == 0 { newest = place.older } else { places[place.newer]?.older = place.older }
      return place.book
    }
  }

  private static let shelf = Guarded(Shelf(room: room))

  /// - Returns: A book that has gone for it, to be released outside the ledger's lock: with it go
  ///   errors, whose `deinit` is anybody's.
  @usableFromInline
  static func keep(_ book: EndBook) -> EndBook? { shelf.withLock { $0.keep(book) } }

  /// Whether the ends of this reactor are here.
  static func has(_ key: UInt) -> Bool { look(key) != nil }

  static func look(_ key: UInt) -> EndBook? { shelf.withLock { $0.places[key]?.book } }

  static func take(_ key: UInt) -> EndBook? {
    shelf.withLock { $0.take(key) }
  }

}
