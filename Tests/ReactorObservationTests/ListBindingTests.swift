import ListChanges
import Reactor
import ReactorObservation
import TestLimits
import TestSupport
import Testing

/// Rows of several kinds.
private enum Row: Identifiable, Hashable {
  case header(String)
  case announcement(Int)
  case repository(Int, stars: Int)
  case placeholder(Int)
  case loadMore

  enum ID: Hashable { case header, announcement(Int), repository(Int), placeholder(Int), loadMore }

  var id: ID {
    switch self {
    case .header: .header
    case .announcement(let id): .announcement(id)
    case .repository(let id, _): .repository(id)
    case .placeholder(let id): .placeholder(id)
    case .loadMore: .loadMore
    }
  }
}

/// Checks what a collection view checks: that the changes turn what it shows into what it is then
/// asked for.
@MainActor private final class Collection: RowsView {
  var shown: [Row] = []
  var updates = 0
  var reloads: [DuplicateIdentifier] = []
  var list: ListBinding<Row>?

  func update(_ changes: ListChanges<Row>, commit: @escaping @MainActor () -> Void) {
    #expect(list?.rows == shown)
    commit()
    updates += 1
    shown = changes.applied(to: shown)
    #expect(list?.rows == shown)
  }

  func reload(because error: DuplicateIdentifier, commit: @escaping @MainActor () -> Void) {
    commit()
    reloads.append(error)
    shown = list?.rows ?? []
  }
}

private actor RowsReactor: Reactor {
  typealias Action = [Row]
  typealias Mutation = [Row]

  struct State { var rows: [Row] = [] }

  let initialState = State()
  let pipeline = Pipeline()

  func reduce(state: inout State, mutation: [Row]) { state.rows = mutation }
}

@MainActor @Suite(.bounded) struct ListBindingTests {
  private let collection = Collection()
  private let list: ListBinding<Row>

  init() {
    list = ListBinding(to: collection)
    collection.list = list
  }

  private static func rows(_ numbers: inout SplitMix64) -> [Row] {
    var rows: [Row] = numbers.oneIn(4) ? [] : [.header("\(numbers.below(3))")]
    if numbers.oneIn(3) { rows.append(.announcement(numbers.below(2))) }
    if numbers.oneIn(5) {
      rows += (0..<3).map { .placeholder($0) }
    } else {
      rows += (0..<8).filter { _ in !numbers.oneIn(3) }.shuffled(using: &numbers)
        .map { .repository($0, stars: numbers.below(3)) }
    }
    return numbers.oneIn(2) ? rows : rows + [.loadMore]
  }

  @Test(arguments: TestCounts.seeds()) func `a list of kinds follows the state`(seed: UInt64) {
    var numbers = SplitMix64(seed: seed)
    for _ in 0..<50 {
      let rows = Self.rows(&numbers)
      list.show(rows)
      #expect(collection.shown == rows)
      #expect(list.rows == rows)
    }
    #expect(collection.reloads == [])
  }

  @Test func `rows that are equal to the shown ones update nothing`() {
    list.show([.header("a"), .loadMore])
    list.show([.header("a"), .loadMore])
    #expect(collection.updates == 1)
  }

  @Test func `two rows with one id are shown by a reload`() {
    list.show([.header("a")])
    list.show([.repository(1, stars: 1), .repository(1, stars: 2)])
    #expect(collection.reloads.count == 1)
    #expect(collection.shown.count == 2)
    list.show([.repository(1, stars: 1)])
    #expect(collection.shown == [.repository(1, stars: 1)])
  }

  @Test func `rows of a reactor are shown while it is bound`() async {
    let reactor = RowsReactor()
    let binding = ReactorBinding<RowsReactor> { [list] reactor, subscriptions in
      subscriptions.observe(reactor.state.select(\.rows), in: list)
    }
    binding.reactor = reactor
    await reactor.send([.header("a"), .repository(1, stars: 5), .loadMore]).settled
    while list.rows.count < 3 { await Task.yield() }
    #expect(collection.shown == [.header("a"), .repository(1, stars: 5), .loadMore])
    binding.reactor = nil
  }

  @Test func `a list does not retain its view`() {
    var view: Collection? = Collection()
    weak let released = view
    let list = ListBinding<Row>(to: view ?? Collection())
    view = nil
    #expect(released == nil)
    list.show([.loadMore])
    #expect(list.rows == [.loadMore])
  }

  @Test func `a sequence is sent to a reactor while it is bound`() async {
    let reactor = ScriptedReactor()
    let (numbers, input) = AsyncStream<Int>.makeStream()
    let ended = Gate()
    input.onTermination = { _ in ended.open() }
    let subscriptions = ReactorSubscriptions()
    subscriptions.send(contentsOf: numbers, to: reactor)
    input.yield(1)
    for await state in reactor.state where state == [1] { break }
    subscriptions.cancel()
    try? await ended.wait()
    input.yield(2)
    await reactor.send(3).settled
    #expect(await reactor.currentState == [1, 3])
  }
}
