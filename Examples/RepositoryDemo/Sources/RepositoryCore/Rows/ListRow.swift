/// One row of a list: an enum, so that one ordered array has rows of many kinds.
///
/// Its identity is ``id``, and its content is the value. Two rows with one identity and different
/// content are the same row, changed.
package enum ListRow: Sendable, Hashable, Identifiable {
  case header(Header)
  case announcement(Announcement)
  case advertisement
  case repository(Repository, Star)
  case loadMore(LoadMore)
  case placeholder(Int)

  package enum ID: Sendable, Hashable {
    case header, advertisement, loadMore
    case announcement(Int)
    case repository(RepositoryID)
    case placeholder(Int)
  }

  package var id: ID {
    switch self {
    case .header: .header
    case .announcement(let one): .announcement(one.id)
    case .advertisement: .advertisement
    case .repository(let one, _): .repository(one.id)
    case .loadMore: .loadMore
    case .placeholder(let number): .placeholder(number)
    }
  }

  /// The first row: what the list is of, and how much of it is loaded.
  package struct Header: Sendable, Hashable {
    package var list: ListName
    /// The text of the search; empty for all repositories.
    package var text: String
    /// The number of repositories that are loaded; `nil` before the first page has arrived.
    package var count: Int?
    /// The number on all pages, if GitHub has sent it.
    package var total: Int?

    package init(list: ListName, text: String = "", count: Int? = nil, total: Int? = nil) {
      (self.list, self.text, self.count, self.total) = (list, text, count, total)
    }
  }

  package enum Star: Sendable, Hashable {
    case off, on
    /// It is set after the login.
    case waiting
  }

  /// The last row, in which a list continues or ends.
  package enum LoadMore: Sendable, Hashable {
    /// There is another page; it is loaded when the row is visible.
    case automatic(ListName)
    /// The previous attempt failed: another page is loaded only on demand.
    case manual(ListName)
    case loading
    case end
  }
}

extension ListRow {
  /// The number of placeholders before the first page has arrived.
  package static let placeholders = 8
  /// The number of repositories above the advertisement.
  package static let advertisementPlace = 3

  /// The rows of a list, as a function of the state of all lists.
  package static func rows(of list: ListName, in state: ListsState) -> [ListRow] {
    let own = state[list]
    var items: [ListRow] = []
    if own.showsPlaceholders {
      items = (0..<placeholders).map { .placeholder($0) }
    } else {
      let starred = Set(state.visitor.favourites.favourites.map(\.id))
      items = own.repositories.map { one in
        let star: Star =
          starred.contains(one.id) ? .on : state.waiting.contains(one.id) ? .waiting : .off
        return .repository(one, star)
      }
    }
    if items.isEmpty { return [] }
    var rows: [ListRow] = [.header(header(of: list, own))]
    if list == .everything {
      rows += inserting(state.announcements, state.hasAdvertisement, into: items)
    } else {
      rows += items
    }
    if let more = loadMore(of: list, own) { rows.append(.loadMore(more)) }
    return rows
  }

  private static func header(of list: ListName, _ state: RepositoriesState) -> Header {
    Header(
      list: list, text: state.text,
      count: state.isLoaded ? state.repositories.count : nil, total: state.total)
  }

  /// Inserts the other rows at their positions among the items; those beyond the end come last.
  ///
  /// Of several at one position, the newest announcement is first, and the advertisement last.
  private static func inserting(
    _ announcements: [Announcement], _ hasAdvertisement: Bool, into items: [ListRow]
  ) -> [ListRow] {
    var others: [Int: [ListRow]] = [:]
    for one in announcements {
      others[min(one.place, items.count), default: []].append(.announcement(one))
    }
    if hasAdvertisement {
      others[min(advertisementPlace, items.count), default: []].append(.advertisement)
    }
    var rows: [ListRow] = []
    for (place, item) in items.enumerated() {
      rows += others[place] ?? []
      rows.append(item)
    }
    return rows + (others[items.count] ?? [])
  }

  private static func loadMore(of list: ListName, _ state: RepositoriesState) -> LoadMore? {
    if state.activity == .more, state.failure == nil { return .loading }
    if state.canLoadMore { return state.failure == nil ? .automatic(list) : .manual(list) }
    return state.next == nil && state.activity == nil && state.isLoaded ? .end : nil
  }
}
