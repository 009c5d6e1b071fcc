extension CommandTable {
  /// What is said about one command, or about all of them.
  ///
  /// In a narrow window, what a command does stands below it.
  func help(about name: String?, columns: Int = 80) throws(CommandError) -> String {
    guard let name else { return overview(columns) }
    guard let info = info(named: name) else { throw unknown(name) }
    return Self.help(info)
  }

  /// Every command with what it does, a line each if they fit.
  private func overview(_ columns: Int) -> String {
    let width = infos.map(\.usage.count).max() ?? 0
    guard width + 2 + (infos.map(\.summary.count).max() ?? 0) <= columns else {
      return infos.map { "\($0.usage)\n  \($0.summary)" }.joined(separator: "\n")
    }
    return infos.map { info in
      info.usage + String(repeating: " ", count: width - info.usage.count + 2) + info.summary
    }
    .joined(separator: "\n")
  }

  private static func help(_ info: CommandInfo) -> String {
    var lines = [info.usage, "  \(info.summary)"]
    lines += info.details.split(separator: "\n").map { "  \($0)" }
    if info.example != info.name { lines.append("  For example: \(info.example)") }
    return lines.joined(separator: "\n")
  }
}
