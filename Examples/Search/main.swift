// A search screen in one file, to copy: one reactor with a lane, a debounce, retries, an error to see and an
// output, and a program around it. Its tests are in SearchTests.swift.
//
//   printf 'rea\nreactor\n1\n' | swift run Search Package.swift
//
// A line is what somebody types into the search field, a number chooses a result, `!` searches again.

import Foundation
import Reactor

/// Where results come from: it takes its time, and it may fail.
protocol Catalogue: Sendable {
  func titles(with text: String) async throws -> [String]
}

actor SearchReactor: LanedReactor {
  /// What a person can ask for.
  enum Action: Equatable {
    /// The text of the search field, at each key.
    case type(String)
    /// A search for what is in the field: sent with each key, and by who wants it tried again.
    case search
    /// One of the results, from 0.
    case choose(Int)
  }

  /// What can happen to the state.
  enum Mutation: Equatable {
    case write(String)
    case search
    /// What there is of a text, which may be another one by now.
    case find([String], of: String)
    case fail(String, of: String)
  }

  /// What a screen shows.
  struct State: Equatable {
    var text = ""
    var results: [String] = []
    var isSearching = false
    /// Why there are no results; nil if there is nothing wrong.
    var failure: String?
  }

  /// What a screen does not show: where to go next, say.
  enum Output: Equatable {
    case chosen(String)
  }

  let initialState = State()
  let pipeline = Pipeline()

  private let catalogue: any Catalogue
  private let clock: any Clock<Duration>

  /// - Parameters:
  ///   - catalogue: Where results come from.
  ///   - clock: What measures pauses; tests bring one that stands still.
  init(_ catalogue: any Catalogue, clock: any Clock<Duration> = ContinuousClock()) {
    self.catalogue = catalogue
    self.clock = clock
  }

  /// One search at a time, the newest, once the keys have rested; whatever it replaces is cancelled.
  func lane(for action: Action) -> Lane? {
    switch action {
    case .search: .latest("search").debounced(for: .milliseconds(300), clock: clock)
    case .type, .choose: nil
    }
  }

  /// From a wish to what happens.
  func mutate(action: Action) -> MutationStream<Mutation> {
    switch action {
    case .type(let text):
      send(.search)
      return .of(.write(text))
    case .search: return search(currentState.text)
    case .choose(let index):
      guard currentState.results.indices.contains(index) else { return .empty }
      output(.chosen(currentState.results[index]))
      return .empty
    }
  }

  /// From what happens to what is seen.
  func reduce(state: inout State, mutation: Mutation) {
    switch mutation {
    // Until its own are found, there are no results of this text.
    case .write(let text): (state.text, state.isSearching, state.failure) = (text, true, nil)
    case .search: (state.isSearching, state.failure) = (true, nil)
    case .find(let results, state.text): (state.results, state.isSearching) = (results, false)
    case .fail(let reason, state.text):
      (state.results, state.isSearching, state.failure) = ([], false, reason)
    case .find, .fail: break  // of a text before: the search of this one is still to come
    }
  }

  /// Three attempts, further and further apart; the last one's error is for the person to see.
  private func search(_ text: String) -> MutationStream<Mutation> {
    guard !text.isEmpty else { return .of(.search, .find([], of: text)) }
    return .run { emit in
      await emit(.search)
      do {
        let delay = RetryDelay.exponential(from: .seconds(1), jitter: 0)
        let titles = try await retry(3, delay: delay, clock: self.clock) {
          try await self.catalogue.titles(with: text)
        }
        await emit(.find(titles, of: text))
      } catch is CancellationError {
        // Another search has taken this one's place: that one sets `isSearching` to false.
      } catch {
        await emit(.fail("\(error)", of: text))
      }
    }
  }
}

// MARK: The program

/// The lines of a file.
struct FileCatalogue: Catalogue {
  var path: String

  func titles(with text: String) async throws -> [String] {
    guard let lines = try? String(contentsOfFile: path, encoding: .utf8) else {
      throw Unreadable(path: path)
    }
    return lines.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
      .filter { $0.localizedCaseInsensitiveContains(text) }
  }

  struct Unreadable: Error, CustomStringConvertible {
    var path: String
    var description: String { "cannot read \(path)" }
  }
}

extension SearchReactor.State {
  /// One line for a terminal.
  var line: String {
    if isSearching { return "[\(text)] searching …" }
    if let failure { return "[\(text)] error: \(failure); ! searches again" }
    return "[\(text)] \(results.count) found: \(results.prefix(5).joined(separator: ", "))"
  }
}

let search = SearchReactor(FileCatalogue(path: CommandLine.arguments.last ?? ""))
let outputs = search.outputs()
let screen = Task {
  var last = ""
  for await line in search.state.map(\.line) where line != last {
    print(line)
    last = line
  }
}
let listener = Task { for await case .chosen(let title) in outputs { print("chosen: \(title)") } }

while let line = readLine() {
  let action: SearchReactor.Action =
    line == "!" ? .search : Int(line).map { .choose($0 - 1) } ?? .type(line)
  await search.sendTracked(action).settled  // tracked: with the search that it has sent
}
await search.stop(.drain).settled
await screen.value
await listener.value
