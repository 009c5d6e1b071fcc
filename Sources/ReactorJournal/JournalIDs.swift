/// The identifiers of all stored reactors of one name.
///
/// ```swift
/// for try await id in journal.ids(of: CartReactor.self) { print(id) }
/// ```
///
/// They are read page by page during the iteration. Each is returned once, in an order that depends
/// on the store. An identifier that is added meanwhile may be included or not.
public struct JournalIDs: AsyncSequence, Sendable {
  package typealias Page =
    @Sendable (_ name: String, _ after: String?, _ limit: Int) async throws -> [String]

  private let name: String
  private let page: Page

  package init(name: String, _ page: @escaping Page) { (self.name, self.page) = (name, page) }

  /// Makes an iterator.
  ///
  /// - Returns: The iterator.
  public func makeAsyncIterator() -> Iterator { Iterator(name: name, page: page) }

  /// An iterator that reads the identifiers page by page.
  public struct Iterator: AsyncIteratorProtocol {
    private static let pageLimit = 1_000

    let name: String
    let page: Page
    private var found: ArraySlice<String> = []
    private var last: String?
    private var isAtEnd = false

    init(name: String, page: @escaping Page) { (self.name, self.page) = (name, page) }

    /// Returns the next identifier; `nil` at the end.
    ///
    /// - Throws: What the store throws.
    public mutating func next() async throws -> String? {
      if found.isEmpty, !isAtEnd {
        found = try await page(name, last, Self.pageLimit)[...]
        isAtEnd = found.count < Self.pageLimit
      }
      guard let id = found.popFirst() else { return nil }
      last = id
      return id
    }
  }
}

extension Journal {
  /// Returns the identifiers of all stored reactors of a type, open or not.
  ///
  /// - Parameter type: The type of the reactors.
  /// - Returns: The identifiers.
  public func ids<R: JournaledReactor>(of type: R.Type) -> JournalIDs {
    JournalIDs(name: R.journalName, store.ids)
  }
}
