import Reactor

/// What the issue of an exploration says: the check, the shortest run as a test, what happened, and
/// the counts.
struct ExplorationReport<R: Reactor> {
  let result: ExplorationCase<R>.Result
  let tries: Int
  let run: Int
  let summary: ExplorationSummary
  /// The lines of the exploration's closure, without its braces; `nil` if they cannot be read.
  let closure: [String]?

  var text: String {
    """
    \(R.self): \(result.failure?.text ?? ""). The shortest run that fails, of \(tries + run) runs, \
    as a test:

    \(test)

    What happened:

    \(RecordedEntry.transcript(result.entries))

    Until then: \(summary)
    """
  }

  /// The source of a test that fails.
  var test: String {
    let name = result.failure?.name.filter { $0 != "`" && $0 != "\n" } ?? ""
    let steps = ["\(R.self).self"] + steps.compactMap(\.source)
    let body = closure ?? ["run in", "// the closure of the exploration"]
    let lines = body.dropFirst().map { $0.isEmpty ? "" : "    " + $0 } + ["  }"]
    let head = body[0].isEmpty ? "{" : "{ " + body[0]
    let end = body.count > 1 ? "\n" + lines.joined(separator: "\n") : " }"
    return """
      @Test func `\(name)`() async throws {
        await replay(
          \(steps.joined(separator: ",\n    "))
        ) \(head)\(end)
      }
      """
  }

  /// The steps with the choices that they made.
  private var steps: [ExplorationStep<R.Action>] {
    let choices = result.choices
    let steps = zip(result.steps, choices.steps).compactMap { step, choices in
      step.map { ExplorationStep($0.kind, pause: $0.pause, choices) }
    }
    return [ExplorationStep(.setUp, choices.setUp)] + steps
      + [ExplorationStep(.end, choices.end)]
  }
}
