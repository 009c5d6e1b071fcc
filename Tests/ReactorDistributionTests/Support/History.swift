import Foundation
import Reactor
import ReactorJournal
import ReactorRuntime
import Testing

@testable import ReactorDistribution

/// What clients and observers saw of one list, and what is wrong with that beside its journal: a
/// checker for histories of `list-append`.
///
/// It finds appends that were acknowledged and are lost, are there twice, or are elsewhere than
/// in the answers; entries of an epoch that was over; gaps; reads and states that show what is not
/// in the journal; and an order of journal entries that contradicts the order in time of appends
/// that did not overlap. It checks one list at a time, so it cannot find what
/// is wrong only between two.
struct History: Sendable {
  struct Append: Sendable {
    let value: Int
    let begun: Duration
    /// The place in the answer; `nil` for one that was not acknowledged.
    var place: Int?
    var ended: Duration?
    /// Whether it was said to be done, without a place.
    var isStored = false
  }

  /// A read: the values, and when it was begun and answered.
  struct Read: Sendable {
    let values: [Int]
    let begun: Duration
    let ended: Duration
    /// Whether it was asked to be of this very moment.
    var isFenced = false
  }

  var appends: [Append] = []
  var reads: [Read] = []
  /// What each observer saw, from its beginning to its end.
  var observed: [[[Int]]] = []
  /// Whether entries were deleted, so that an observer may have missed some.
  var isDeleted = false

  /// One line for each thing that is wrong.
  func problems(beside rows: [(sequence: Int, epoch: Int, value: Int)]) -> [String] {
    let values = rows.map(\.value)
    var problems: [String] = []
    if rows.map(\.sequence) != Array(1...max(1, rows.count)).prefix(rows.count).map({ $0 }) {
      problems.append("the sequence has gaps: \(rows.map(\.sequence))")
    }
    if rows.map(\.epoch) != rows.map(\.epoch).sorted() {
      problems.append("an epoch falls: \(rows.map(\.epoch))")
    }
    let places = Dictionary(grouping: values.indices, by: { values[$0] })
    for (value, found) in places where found.count > 1 {
      problems.append("\(value) is there \(found.count) times")
    }
    let known = Set(appends.map(\.value))
    for value in values where !known.contains(value) {
      problems.append("\(value) was written by nobody")
    }
    for append in appends {
      guard append.place != nil || append.isStored else { continue }
      guard let found = places[append.value]?.first else {
        let location = append.place.map { "at \($0)" } ?? "as kept"
        problems.append("\(append.value) was acknowledged \(location), and is lost")
        continue
      }
      if let place = append.place, found + 1 != place {
        problems.append("\(append.value) was told place \(place) and is at \(found + 1)")
      }
    }
    problems += orderProblems(places)
    for read in reads where !values.starts(with: read.values) {
      problems.append("\(read.values) was read, the journal has \(values)")
    }
    for states in observed { problems += observerProblems(states, values) }
    return problems
  }

  private func orderProblems(_ places: [Int: [Int]]) -> [String] {
    var problems: [String] = []
    for earlier in appends {
      guard let end = earlier.ended, let first = places[earlier.value]?.first else { continue }
      for later in appends where later.begun > end {
        if let second = places[later.value]?.first, second < first {
          problems.append("\(later.value) stands before \(earlier.value), which had been answered")
        }
      }
      for read in reads where read.isFenced && read.begun > end {
        if !read.values.contains(earlier.value) {
          problems.append("a fenced read does not show \(earlier.value)")
        }
      }
    }
    return problems
  }

  private func observerProblems(_ states: [[Int]], _ values: [Int]) -> [String] {
    var problems: [String] = []
    for state in states where !values.starts(with: state) {
      problems.append("\(state) was observed, the journal has \(values)")
    }
    for (before, after) in zip(states, states.dropFirst()) {
      let isNext = after.count == before.count + 1
      if isNext || isDeleted && after.count > before.count { continue }
      problems.append("an observer saw \(after.count) states' worth after \(before.count)")
    }
    return problems
  }
}

extension SimulatedDatabase {
  /// All that was ever committed of a list, also what has been deleted since.
  func rows(of id: String) throws -> [(sequence: Int, epoch: Int, value: Int)] {
    let key = JournalKey(name: "list", id: id)
    return try commits.withLock { $0 }.filter { $0.key == key }.map { commit in
      let value = try JSONDecoder().decode(Int.self, from: commit.entry.payload)
      return (commit.entry.sequence, commit.epoch, value)
    }
  }
}
