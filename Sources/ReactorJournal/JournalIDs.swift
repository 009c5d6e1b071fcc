/// The identifiers of all reactors of a name of which something is kept.
///
/// ```swift
/// for try await id in journal.ids(of: CartReactor.self) { print(id) }
/// ```
///
/// Read page by page as they are asked for, each once, in an order of the store's own. One that
/// comes meanwhile may be among them or not.
public struct JournalIDs: AsyncSequence, Sendable {
  package typealias Page =
    @Sendable (_ name: String, _ after: String?, _ limit: Int) async throws -> [String]

  private let name: String
  private let page: Page

  package init(name: String, _ page: @escaping Page) { (self.name, self.page) = (name, page) }

  /// Begins to read.
  ///
  /// - Returns: An iterator.
  public func makeAsyncIterator() -> Iterator { Iterator(name: name, page: page) }

  /// Reads the identifiers page by page.
  public struct Iterator: AsyncIteratorProtocol {
    private static let pageLimit = 1_000

    let name: String
    let page: Page
    private var found: ArraySlice<String> = []
    private var last: String?
    private var isAtEnd = false

    init(name: String, page: @escaping Page) { (self.name, self.page) = (name, page) }

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
  /// The identifiers of all reactors of a type of which something is kept, open or not.
  ///
  /// - Parameter type: The type.
  /// - Returns: Them.
  public func ids<R: JournaledReactor>(of type: R.Type) -> JournalIDs {
    JournalIDs(name: R.journalName, store.ids)
  }
}
