import Foundation
import ReactorREPLTesting
import TestLimits
import Testing

/// The compiler reports a `completion(of:)` of a `CompletingScreen` with another signature.
@Suite(.bounded) struct CompletingScreenTests {
  private static let body = "{ CommandCompletion(commands: []) }"

  @Test func `the exact signature compiles`() async throws {
    let errors = try await errors(
      "func completion(of state: Shelf.State) -> CommandCompletion \(Self.body)")
    #expect(errors == "")
  }

  @Test(arguments: [
    "",
    "func completion(for state: Shelf.State) -> CommandCompletion \(body)",
    "func completion(_ state: Shelf.State) -> CommandCompletion \(body)",
    "func completion(of state: Shelf.State?) -> CommandCompletion? \(body)",
    "func completion(of state: Shelf.State) async -> CommandCompletion \(body)",
    "func completions(of state: Shelf.State) -> CommandCompletion \(body)",
  ])
  func `another signature does not compile, and the error has the right one`(
    member: String
  ) async throws {
    let errors = try await errors(member)
    #expect(
      errors.contains("write 'func completion(of state: R.State) -> CommandCompletion', exactly so")
    )
  }

  /// The compiler's errors for a screen with this member.
  private func errors(_ member: String) async throws -> String {
    let folder = try ScratchDirectory()
    try folder.write(
      """
      import Reactor
      import ReactorREPL

      actor Shelf: Reactor {
        enum Action { case put }
        struct State {}
        let initialState = State()
        let pipeline = Pipeline()
        func reduce(state: inout State, mutation: Action) {}
      }

      struct ShelfScreen: CompletingScreen {
        let reactor = Shelf()
        let commands = CommandTable<Shelf.Action>([])
        \(member)
      }
      """, to: "Screen.swift")
    // The C modules of line editors, by name alone: nothing of them is visible from outside.
    try folder.write("module CReadline {}\nmodule CEditline {}", to: "module.modulemap")
    let environment = ["PATH", "HOME"].compactMap { (name: String) in
      ProcessInfo.processInfo.environment[name].map { (name, $0) }
    }
    let run = try await PipedRun.of(
      "/usr/bin/env",
      arguments: [
        "swiftc", "-typecheck", "-parse-as-library", "-swift-version", "6", "-diagnostic-style",
        "llvm", "-module-cache-path", "\(folder.path)/cache", "-I", folder.path,
        "-I", BuiltProduct.path("Modules"), "\(folder.path)/Screen.swift",
      ],
      environment: Dictionary(uniqueKeysWithValues: environment), input: [])
    return run.errorOutput
  }
}
