import Workloads

/// Measures one group or one amount, once, and prints lines of fields with tabs between them; ratios.py
/// runs it many times and makes the table.
///
/// ```
/// Ratios list
/// Ratios group <name> <run> [one-thread] [only <contender>]
/// Ratios amount <name>
/// ```
///
/// Runs as any program does: no thread of the pool waits for what it measures. That is seen to, see
/// ``Pool/canOverlap``.
@main
enum Ratios {
  static let groups =
    sending + several + watching + effects + keystrokes + onMain + instances + others

  @MainActor
  static func main() async {
    let arguments = Array(CommandLine.arguments.dropFirst())
    switch arguments.first {
    case "group" where arguments.count >= 3:
      guard let group = groups.first(where: { $0.name == arguments[1] }),
        let run = Int(arguments[2])
      else { fatalError("there is no such group") }
      if arguments.contains("one-thread") { await Pool.leaveOneThread() }
      tell("overlap", await Pool.canOverlap ? "yes" : "no")
      await measure(only(arguments, of: group), run)
    case "amount" where arguments.count == 2:
      guard let amount = amounts.first(where: { $0.name == arguments[1] }) else {
        fatalError("there is no such amount")
      }
      // All threads of the pool are there from now on, and count as nobody's.
      _ = await Pool.canOverlap
      if let value = await amount.measure() { tell("amount", amount.name, value) }
    default: list()
    }
  }

  /// The group with one contender, to look at it with a profiler.
  private static func only(_ arguments: [String], of group: Group) -> Group {
    guard let place = arguments.firstIndex(of: "only") else { return group }
    let name = arguments[(place + 1)...].joined(separator: " ")
    let chosen = group.contenders.filter { $0.name == name }
    if chosen.isEmpty { fatalError("\(group.name): nobody is called \(name)") }
    return Group(group.name, tries: group.tries, chosen, [])
  }

  private static func list() {
    for group in groups {
      for row in group.rows {
        let target = row.target.map { "\($0)" } ?? ""
        tell("row", group.name, row.subject, row.floor, target)
      }
    }
    for amount in amounts { tell("amount", amount.name, amount.target) }
  }

  /// Tries each contender some times; they take turns, beginning with another one each time.
  private static func measure(_ group: Group, _ run: Int) async {
    // Whatever is made once is made now.
    for contender in group.contenders { _ = await contender.workload(max(1, contender.count / 10)) }
    for turn in 0..<group.tries {
      for contender in turns(of: group.contenders, run + turn) {
        let reading = await contender.workload(contender.count)
        let count = Double(contender.count)
        tell(
          "reading", contender.name, reading.wall / .nanoseconds(1) / count,
          reading.cpu / .nanoseconds(1) / count, Double(reading.voluntarySwitches) / count,
          Double(reading.involuntarySwitches) / count)
      }
    }
  }

  private static func turns(of contenders: [Contender], _ turn: Int) -> [Contender] {
    let first = turn % contenders.count
    let rotated = Array(contenders[first...] + contenders[..<first])
    return turn / contenders.count % 2 == 0 ? rotated : rotated.reversed()
  }

  private static func tell(_ fields: Any...) {
    print(fields.map { "\($0)" }.joined(separator: "\t"))
  }
}
