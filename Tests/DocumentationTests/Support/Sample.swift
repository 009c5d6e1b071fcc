import Foundation

/// A paragraph of Swift on a page of the documentation.
///
/// It is contained in a test if its lines are, in their order and close together: between them a
/// test may check the results. Access modifiers, comments and indentation do not count,
/// and a line with an ellipsis is anything.
struct Sample {
  /// Where it begins on its page.
  let line: Int
  let lines: [String]

  /// How many lines of a test's own may come between two.
  private static let gap = 12

  private static let root = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  static func all(of page: String) throws -> [Sample] {
    let file = root.appending(path: "Sources/Reactor/Reactor.docc/\(page).md")
    var samples: [Sample] = []
    var (paragraph, start, isSwift) = ([String](), 0, false)
    let text = try String(contentsOf: file, encoding: .utf8)
    for (index, line) in text.components(separatedBy: "\n").enumerated() {
      if isSwift, !line.isEmpty, line != "```", !line.contains("…") {
        if paragraph.isEmpty { start = index + 1 }
        if let code = code(in: line) { paragraph.append(code) }
        continue
      }
      if !paragraph.isEmpty { samples.append(Sample(line: start, lines: paragraph)) }
      paragraph = []
      if line.hasPrefix("```") { isSwift = line == "```swift" }
    }
    return samples
  }

  /// The lines of each test of the documentation.
  static func tests() throws -> [[String]] {
    let folder = root.appending(path: "Tests/DocumentationTests")
    return try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
      .filter { $0.pathExtension == "swift" }
      .map { file in
        try String(contentsOf: file, encoding: .utf8).components(separatedBy: "\n")
          .compactMap(code)
      }
  }

  func isContained(in test: [String]) -> Bool {
    test.indices.contains { start in
      guard test[start] == lines[0] else { return false }
      var place = start
      return lines.dropFirst().allSatisfy { line in
        let near = test[(place + 1)...].prefix(Self.gap + 1)
        guard let next = near.firstIndex(of: line) else { return false }
        place = next
        return true
      }
    }
  }

  /// What counts of a line.
  private static func code(in line: String) -> String? {
    let code = line.replacing(#/(^|\s+)//.*$/#, with: "")
      .replacing(#/\b(private|fileprivate)\s/#, with: "")
      .trimmingCharacters(in: .whitespaces)
    return code.isEmpty ? nil : code
  }
}
