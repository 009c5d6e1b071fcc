/// Where a ledger has its ``EndBook``.
@usableFromInline
enum ActionEnds: Sendable {
  /// Every action has finished so far.
  case none
  case book(EndBook)
  /// In the ``EndArchive``, or nowhere any more; this is the highest number in it.
  case kept(highest: UInt64)

  var isKept: Bool { if case .kept = self { true } else { false } }

  /// Whether nobody waits to know anything.
  var isQuiet: Bool { if case .book(let book) = self { book.isQuiet } else { true } }
}
