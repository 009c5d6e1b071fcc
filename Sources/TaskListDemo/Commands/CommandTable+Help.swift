extension CommandTable {
  /// What is said about one command, or about all of them.
  func help(about name: String?) throws(CommandError) -> String {
    guard let name else { return overview }
    guard let info = info(named: name) else { throw unknown(name) }
    return Self.help(info)
  }

  /// Every command with what it does, a line each.
  private var overview: String {
    let width = infos.map(\.usage.count).max() ?? 0
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
