import Foundation
import Testing

/// Runs the current test again in another process, whose hash tables have another order.
struct SecondProcess {
  let name: String

  private static let nameKey = "REACTOR_REPLAY_OF"
  private static let fileKey = "REACTOR_REPLAY_FILE"
  private static let hashingKey = "SWIFT_DETERMINISTIC_HASHING"

  /// Returns the file with the mutations to fold, if this is the second process and runs this call.
  static func file(for name: String) -> URL? {
    let environment = ProcessInfo.processInfo.environment
    guard environment[nameKey] == name else { return nil }
    return environment[fileKey].map { URL(filePath: $0) }
  }

  static func answer(to file: URL) -> URL { file.appendingPathExtension("answer") }

  /// Folds mutations in the second process.
  ///
  /// - Returns: The hash of the state after each mutation.
  func hashes(of payloads: [Data]) async throws -> [UInt64] {
    let file = FileManager.default.temporaryDirectory.appending(path: "replay-\(UUID())")
    defer {
      try? FileManager.default.removeItem(at: file)
      try? FileManager.default.removeItem(at: Self.answer(to: file))
    }
    try JSONEncoder().encode(payloads).write(to: file)
    try await run(file)
    guard let answer = try? Data(contentsOf: Self.answer(to: file)) else {
      throw Problem.silent
    }
    return try JSONDecoder().decode([UInt64].self, from: answer)
  }

  private func run(_ file: URL) async throws {
    guard let test = Test.current else { throw Problem.noTest }
    guard let program = Bundle.main.executablePath else { throw Problem.silent }
    let child = try ChildProcess.start(
      program, Self.arguments(CommandLine.arguments.dropFirst(), only: "\(test.id)"),
      environment: environment(file))
    await child.end()
  }

  private func environment(_ file: URL) -> [String: String] {
    var environment = ProcessInfo.processInfo.environment
    environment[Self.nameKey] = name
    environment[Self.fileKey] = file.path
    // With this variable, the hash tables of all processes have the same order; without it, each
    // process has its own.
    environment[Self.hashingKey] = environment[Self.hashingKey] == nil ? "1" : nil
    return environment
  }

  /// Returns the arguments of this process, without those that select tests or write reports.
  static func arguments(_ arguments: ArraySlice<String>, only test: String) -> [String] {
    let dropped = ["--filter", "--skip", "--xunit-output", "--repetitions"]
    var kept: [String] = []
    var rest = arguments
    while let argument = rest.popFirst() {
      let name = argument.split(separator: "=").first.map(String.init) ?? argument
      guard dropped.contains(name) || name.hasPrefix("--event-stream") else {
        kept.append(argument)
        continue
      }
      if name == argument { _ = rest.popFirst() }
    }
    return kept + ["--filter", NSRegularExpression.escapedPattern(for: test)]
  }

  enum Problem: Error, CustomStringConvertible {
    case noTest, silent

    var description: String {
      switch self {
      case .noTest: "assertReplayable is for tests of Swift Testing"
      case .silent: "the second process has not come to the same call"
      }
    }
  }
}
