import Foundation
import RepositoryCore
import Testing

/// The rows of the lists, as a function of their state.
@Suite(.timeLimit(.minutes(2))) struct RowsTests {
  private let items = (0..<6).map { one("a/number-\($0)") }

  /// The state of lists of which all repositories are loaded.
  private func loaded(_ change: (inout ListsState) -> Void = { _ in }) -> ListsState {
    var state = ListsState()
    state.change { state in
      for list in ListName.allCases {
        state[list].repositories = items
        (state[list].isLoaded, state[list].total) = (true, items.count)
      }
      change(&state)
    }
    return state
  }

  private func ids(_ rows: [ListRow]) -> [ListRow.ID] { rows.map(\.id) }

  private func repositories(_ places: Range<Int>) -> [ListRow.ID] {
    places.map { .repository(items[$0].id) }
  }

  @Test func `a list that has not been opened has no rows`() {
    #expect(ListsState().everything.rows == [])
  }

  @Test func `a first load has a header, the advertisement and placeholders`() {
    var state = ListsState()
    state.change { ($0.everything.activity, $0.hasAdvertisement) = (.first, true) }
    let placeholders = (0..<ListRow.placeholders).map { ListRow.ID.placeholder($0) }
    #expect(
      ids(state.everything.rows)
        == [.header] + placeholders.prefix(3) + [.advertisement] + placeholders.dropFirst(3))
    #expect(state.everything.rows.first == .header(.init(list: .everything)))
  }

  @Test func `what is between repositories is between placeholders, at the same positions`() {
    var loading = ListsState()
    loading.change { state in
      (state.everything.activity, state.hasAdvertisement) = (.first, true)
      state.announcements = [Announcement(id: 1, text: "", place: 4)]
    }
    let loaded = loaded { state in
      (state.announcements, state.hasAdvertisement) = (loading.announcements, true)
    }
    let others: [ListRow.ID] = [.header, .advertisement, .announcement(1)]
    for id in others {
      let place = ids(loading.everything.rows).firstIndex(of: id)
      #expect(place != nil)
      #expect(ids(loaded.everything.rows).firstIndex(of: id) == place)
    }
  }

  @Test func `rows of all kinds are one array`() {
    let state = loaded { state in
      state.announcements = [
        Announcement(id: 2, text: "two", place: 0), Announcement(id: 1, text: "one", place: 4),
      ]
      (state.hasAdvertisement, state.everything.next) = (true, 2)
    }
    #expect(
      ids(state.everything.rows)
        == [.header, .announcement(2)] + repositories(0..<3) + [.advertisement]
        + repositories(3..<4) + [.announcement(1)] + repositories(4..<6) + [.loadMore])
    #expect(state.everything.rows.last == .loadMore(.automatic(.everything)))
  }

  @Test func `what is placed beyond the end comes last, before the end of the list`() {
    let state = loaded { state in
      state.announcements = [Announcement(id: 1, text: "one", place: 40)]
    }
    #expect(ids(state.everything.rows).suffix(2) == [.announcement(1), .loadMore])
    #expect(state.everything.rows.last == .loadMore(.end))
  }

  @Test func `the own list has neither announcements nor an advertisement`() {
    let state = loaded { state in
      state.announcements = [Announcement(id: 1, text: "one")]
      state.hasAdvertisement = true
    }
    #expect(ids(state.own.rows) == [.header] + repositories(0..<6) + [.loadMore])
  }

  @Test(arguments: [
    (RepositoriesState.Activity?.none, Int?(2), false, ListRow.LoadMore?(.automatic(.everything))),
    (.more, 2, false, .loading), (nil, 2, true, .manual(.everything)), (nil, nil, false, .end),
    (.refresh, 2, false, nil), (.refresh, nil, false, nil),
  ])
  func `the last row says how the list continues`(
    activity: RepositoriesState.Activity?, next: Int?, hasFailed: Bool, more: ListRow.LoadMore?
  ) {
    let state = loaded { state in
      (state.everything.activity, state.everything.next) = (activity, next)
      if hasFailed {
        state.everything.failure = .init(error: .unreadable, during: .more, isRetrying: false)
      }
    }
    let last: ListRow? =
      if case .loadMore? = state.everything.rows.last?.id {
        state.everything.rows.last
      } else { nil }
    #expect(last == more.map { .loadMore($0) })
  }

  @Test func `an empty result has no rows`() {
    var state = ListsState()
    state.change { state in
      (state.everything.isLoaded, state.everything.total, state.hasAdvertisement) = (true, 0, true)
    }
    #expect(state.everything.rows == [])
    #expect(state.everything.isEmpty)
  }

  @Test func `a star changes the content of a row, not its identity`() {
    let before = loaded()
    let starred = FavouritesReactor.Favourite(items[1], since: day)
    for list in ListName.allCases {
      var after = before
      after.change { $0.visitor.favourites.favourites = [starred] }
      #expect(ids(after[list].rows) == ids(before[list].rows))
      let changed = zip(before[list].rows, after[list].rows).filter { $0 != $1 }.map(\.1)
      #expect(changed == [.repository(items[1], .on)])
      after.change { ($0.visitor.favourites.favourites, $0.waiting) = ([], [items[1].id]) }
      #expect(after[list].rows.contains(.repository(items[1], .waiting)))
    }
  }

  @Test func `the identities of the rows of a list are distinct`() {
    let state = loaded { state in
      state.announcements = (0..<3).map { Announcement(id: $0, text: "", place: 1) }
      (state.hasAdvertisement, state.everything.next) = (true, 2)
    }
    #expect(Set(ids(state.everything.rows)).count == state.everything.rows.count)
  }
}

/// Announcements, as the generator makes them.
@Suite(.timeLimit(.minutes(2))) struct AnnouncementTests {
  private func some(_ seed: UInt64) -> [Announcement] {
    var generator = AnnouncementGenerator(seed: seed)
    return (0..<20).map { _ in generator.next().announcement }
  }

  @Test func `the same seed makes the same announcements, another one others`() {
    #expect(some(1) == some(1))
    #expect(some(1) != some(2))
  }

  @Test func `each has a text, an identity and a position, and a pause before it`() {
    var generator = AnnouncementGenerator(seed: 1)
    for number in 1...100 {
      let (pauses, one) = generator.next()
      #expect((0.5...1.5).contains(pauses))
      #expect((0...4).contains(one.place))
      #expect(one.id == number)
      #expect(one.text.hasSuffix("."))
    }
    #expect(Set(some(3).map(\.place)).count > 1)
  }
}
