// A search screen in one file, to copy: one reactor with a lane, a debounce, retries, a visible
// error and an output, and a program around it. Its tests are in SearchTests.swift.
//
//   printf 'rea\nreactor\n1\n' | swift run Search Package.swift
//
// Each line is the text of the search field; a number chooses a result, `!` searches again.

import Foundation
import Reactor

/// The source of results: it takes time, and may fail.
protocol Catalogue: Sendable {
  func titles(with text: String) async throws -> [String]
}

actor SearchReactor: LanedReactor {
  /// The actions of the user.
  enum Action: Equatable {
    /// The text of the search field, at each key.
    case type(String)
    /// A search for the text in the field: sent with each key, and to try again.
    case search
    /// One of the results, from 0.
    case choose(Int)
  }

  /// The changes of the state.
  enum Mutation: Equatable {
    case write(String)
    case search
    /// The results for a text, which may no longer be the current one.
    case find([String], of: String)
    case fail(String, of: String)
  }

  /// The state that a screen shows.
  struct State: Equatable {
    var text = ""
    var results: [String] = []
    var isSearching = false
    /// Why there are no results; nil if there is no error.
    var failure: String?
  }

  /// What a screen does not show, such as where to navigate.
  enum Output: Equatable {
    case chosen(String)
  }

  let initialState = State()
  let pipeline = Pipeline()

  private let catalogue: any Catalogue
  private let clock: any Clock<Duration>

  /// - Parameters:
  ///   - catalogue: The source of results.
  ///   - clock: The clock that measures pauses; a test passes one that it controls.
  init(_ catalogue: any Catalogue, clock: any Clock<Duration> = ContinuousClock()) {
    self.catalogue = catalogue
    self.clock = clock
  }

  /// One search at a time, the newest, after a pause in typing; the search that it replaces is
  /// cancelled.
  func lane(for action: Action) -> Lane? {
    switch action {
    case .search: .latest("search").debounced(for: .milliseconds(300), clock: clock)
    case .type, .choose: nil
    }
  }

  /// Converts an action to mutations.
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

  /// Applies a mutation to the state.
  func reduce(state: inout State, mutation: Mutation) {
    switch mutation {
    // Until its own search has ended, there are no results for this text.
    case .write(let text): (state.text, state.isSearching, state.failure) = (text, true, nil)
    case .search: (state.isSearching, state.failure) = (true, nil)
    case .find(let results, state.text): (state.results, state.isSearching) = (results, false)
    case .fail(let reason, state.text):
      (state.results, state.isSearching, state.failure) = ([], false, reason)
    case .find, .fail: break  // for an earlier text: the search for this one is still pending
    }
  }

  /// Three attempts with growing delays; the last error is shown to the user.
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
        // A newer search has replaced this one, and will set `isSearching` to false.
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
  /// The state in one line for a terminal.
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
  await search.sendTracked(action).settled  // tracked: including the search that it has sent
}
await search.stop(.drain).settled
await screen.value
await listener.value
