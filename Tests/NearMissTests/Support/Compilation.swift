#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif
import ProgramTesting

/// What the compiler says of every row, in one run over all of them.
struct Compilation: Sendable {
  /// The errors, with their notes, of each row.
  private let errors: [String: String]

  /// What it says of a row; empty where it has nothing against it.
  func errors(of row: Row) -> String { errors[row.name] ?? "" }

  /// What the rows build on.
  private static let prelude = """
    public import Reactor

    struct Envelope<Content: Sendable>: Sendable { var content: Content }
    struct Traced<Content: Sendable>: Sendable { var content: Content }
    struct Room: Sendable {}

    protocol Plain: Reactor {}
    protocol Enveloped: Reactor where Action == Envelope<Command>, Mutation == Traced<Change> {
      associatedtype Command: Sendable
      associatedtype Change: Sendable
    }

    func hasLanes<R: Reactor>(_: R.Type) where R.LaneResult == Lane? {}
    func hasPlainLanes<R: Reactor>(_: R.Type) where R.LaneResult == Lane {}
    func hasNoLanes<R: Reactor>(_: R.Type) where R.LaneResult == _NoLane {}

    @available(*, unavailable, message: "the hook was passed over")
    func hooksActions<R: Reactor>(_: R.Type) where R.ActionSequence == ReactorActions<R> {}
    func hooksActions<R: Reactor>(_: R.Type) {}
    @available(*, unavailable, message: "the hook was passed over")
    func hooksMutations<R: Reactor>(_: R.Type) where R.MutationSequence == ReactorMutations<R> {}
    func hooksMutations<R: Reactor>(_: R.Type) {}
    @available(*, unavailable, message: "the hook was passed over")
    func hooksStates<R: Reactor>(_: R.Type) where R.StateSequence == ReactorStates<R> {}
    func hooksStates<R: Reactor>(_: R.Type) {}

    func hooksNothing<R: Reactor>(_: R.Type)
    where
      R.ActionSequence == ReactorActions<R>, R.MutationSequence == ReactorMutations<R>,
      R.StateSequence == ReactorStates<R>
    {}
    """

  /// Compiles all rows at once: each in a file of its own, so that its errors are its own.
  ///
  /// Those that fail at once are kept apart from the others, with which the compiler goes on
  /// further.
  static func of(_ rows: [Row]) async throws -> Compilation {
    async let atOnce = compiling(rows.filter(\.failsAtOnce), ["-typecheck"])
    async let later = compiling(rows.filter { !$0.failsAtOnce }, ["-emit-sil", "-o", "/dev/null"])
    return try await Compilation(errors: atOnce.merging(later, uniquingKeysWith: +))
  }

  private static func compiling(_ rows: [Row], _ mode: [String]) async throws -> [String: String] {
    let folder = try ScratchDirectory()
    try folder.write(prelude, to: "Prelude.swift")
    // What the journal depends on, by name alone: none of it is visible from outside.
    try folder.write("module GRDBSQLite {}", to: "module.modulemap")
    for (index, row) in rows.enumerated() {
      var text = "import Reactor\nimport ReactorComposition\n\(row.source)\n"
      if !row.claims.isEmpty { text += "private func claims() { \(row.claims) }\n" }
      try folder.write(text.replacing("Shop", with: "Shop\(index)"), to: "Row\(index).swift")
    }
    let files = ["Prelude.swift"] + rows.indices.map { "Row\($0).swift" }
    let environment = ["PATH", "HOME"].compactMap { (name: String) in
      getenv(name).map { (name, String(cString: $0)) }
    }
    let run = try await PipedRun.of(
      "/usr/bin/env",
      arguments: ["swiftc"] + mode + [
        "-wmo", "-parse-as-library", "-swift-version", "6", "-diagnostic-style", "llvm",
        "-enable-upcoming-feature", "InternalImportsByDefault", "-module-name", "Rows",
        "-module-cache-path", "\(folder.path)/cache", "-I", folder.path,
        "-I", BuiltProduct.path("Modules"),
      ] + files.map { "\(folder.path)/\($0)" },
      environment: Dictionary(uniqueKeysWithValues: environment), input: [])
    return sorted(run.errorOutput, rows)
  }

  /// Sorts lines by the row of the last error before them, and calls each row's reactor `Shop`
  /// again.
  private static func sorted(_ output: String, _ rows: [Row]) -> [String: String] {
    var errors: [String: String] = [:]
    var current: Int?
    for line in output.split(separator: "\n") {
      if line.contains(": error: ") {
        current = line.firstMatch(of: /Row([0-9]+)\.swift:/).flatMap { Int($0.1) }
        if current == nil { errors["", default: ""] += line + "\n" }
      }
      guard let index = current, line.contains(": error: ") || line.contains(": note: ") else {
        continue
      }
      errors[rows[index].name, default: ""] +=
        line.replacing("Shop\(index)", with: "Shop").drop { $0 != " " } + "\n"
    }
    return errors
  }

  /// What belongs to no row: an error in the prelude, or a compiler that could not be run.
  var stray: String { errors[""] ?? "" }
}
