import Reactor
import TestLimits
import TestSupport
import Testing

private struct Row: Identifiable, Equatable {
  let id: Int
  var title = ""
}

@Suite(.bounded) struct KeyedRowsTests {
  @Test func `rows are found by their ids, and stay in their order`() {
    var rows = KeyedRows([Row(id: 3, title: "c"), Row(id: 1, title: "a")])
    rows.upsert(Row(id: 2, title: "b"))
    rows.upsert(Row(id: 3, title: "C"))
    #expect(rows.ids == [3, 1, 2])
    #expect(rows.map(\.title) == ["C", "a", "b"])
    #expect(rows[id: 2]?.title == "b")
    #expect(rows[id: 9] == nil)
    rows.sort { $0.id < $1.id }
    #expect(rows.ids == [1, 2, 3])
  }

  @Test func `a row that is not there is neither changed nor removed`() {
    var rows = KeyedRows([Row(id: 1)])
    #expect(rows.update(1) { $0.title = "a" })
    #expect(!rows.update(2) { $0.title = "b" })
    #expect(rows.remove(2) == nil)
    #expect(rows.remove(1) == Row(id: 1, title: "a"))
    #expect(rows == KeyedRows())
  }

  @Test func `whatever comes, goes and moves, it is what an array would be`() {
    for seed in TestCounts.seeds() {
      var random = SplitMix64(seed: seed)
      var (rows, array) = (KeyedRows<Row>(), [Row]())
      for _ in 0..<40 {
        let id = random.below(8)
        switch random.below(5) {
        case 0, 1:
          let row = Row(id: id, title: "\(random.below(100))")
          rows.upsert(row)
          if let place = array.firstIndex(where: { $0.id == id }) {
            array[place] = row
          } else {
            array.append(row)
          }
        case 2:
          #expect(rows.remove(id) == array.first { $0.id == id })
          array.removeAll { $0.id == id }
        case 3:
          rows.update(id) { $0.title += "!" }
          if let place = array.firstIndex(where: { $0.id == id }) { array[place].title += "!" }
        default:
          rows.sort { $0.title < $1.title }
          array.sort { $0.title < $1.title }
        }
        #expect(Array(rows) == array, "seed \(seed)")
      }
    }
  }
}
