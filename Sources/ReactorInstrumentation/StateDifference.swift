public import Reactor

extension StateTransition {
  /// The changes of the state as lines with `-` and `+`; empty if nothing has changed, or if there
  /// is no earlier state.
  ///
  /// It shows all values of the states, including secrets, and takes time to compute. Use it only
  /// if the text is read.
  public var difference: String { old.map { StateDifference.text(from: $0, to: new) } ?? "" }
}

/// The difference between two values as text, with one line for each of their parts.
///
/// The parts are those that a `Mirror` shows. Sets and dictionaries are sorted by their text, so
/// that equal values have equal lines.
enum StateDifference {
  /// The maximum depth; values below it are shown by their description.
  private static let maximumDepth = 12

  /// Returns the changes from one value to another.
  ///
  /// ```
  ///   TodoState
  ///     title: "Milk"
  /// -   isDone: false
  /// +   isDone: true
  /// ```
  ///
  /// - Parameters:
  ///   - old: The value before.
  ///   - new: The value after.
  /// - Returns: The lines that have changed, with the lines that contain them; empty if nothing
  ///   has.
  static func text(from old: Any, to new: Any) -> String {
    let (before, after) = (lines(of: old), lines(of: new))
    guard before != after else { return "" }
    return merged(before, after).joined(separator: "\n")
  }

  // MARK: Lines

  private struct Line: Equatable {
    /// The labels of the containing parts and its own, which distinguish equal lines in different
    /// places.
    let path: [String]
    var depth: Int { path.count - 1 }
    let text: String

    func marked(_ mark: String) -> String {
      mark + " " + String(repeating: "  ", count: depth) + text
    }
  }

  private static func lines(of value: Any) -> [Line] {
    var lines: [Line] = []
    add(value, label: nil, path: [""], to: &lines)
    return lines
  }

  private static func add(_ value: Any, label: String?, path: [String], to lines: inout [Line]) {
    let prefix = label.map { "\($0): " } ?? ""
    let mirror = Mirror(reflecting: value)
    if mirror.displayStyle == .optional {
      guard let content = mirror.children.first?.value else {
        return lines.append(Line(path: path, text: prefix + "nil"))
      }
      return add(content, label: label, path: path, to: &lines)
    }
    guard !mirror.children.isEmpty, path.count <= maximumDepth else {
      return lines.append(Line(path: path, text: prefix + leaf(value)))
    }
    lines.append(Line(path: path, text: prefix + title(of: value, mirror)))
    var parts: [[Line]] = []
    for (index, child) in children(of: mirror).enumerated() {
      var part: [Line] = []
      let (label, value) = labelled(child, at: index, of: mirror)
      add(value, label: label, path: path + [label ?? leaf(value)], to: &part)
      parts.append(part)
    }
    if mirror.displayStyle == .set || mirror.displayStyle == .dictionary {
      parts.sort { $0[0].text < $1[0].text }
    }
    for part in parts { lines += part }
  }

  /// Returns the parts of a value; for an enum case with several values, the values instead of
  /// their tuple.
  private static func children(of mirror: Mirror) -> [Mirror.Child] {
    guard mirror.displayStyle == .enum, let payload = mirror.children.first else {
      return Array(mirror.children)
    }
    let inner = Mirror(reflecting: payload.value)
    return inner.displayStyle == .tuple ? Array(inner.children) : [(nil, payload.value)]
  }

  private static func labelled(
    _ child: Mirror.Child, at index: Int, of mirror: Mirror
  ) -> (label: String?, value: Any) {
    switch mirror.displayStyle {
    case .collection: return ("[\(index)]", child.value)
    case .set: return (nil, child.value)
    case .dictionary:
      let pair = Array(Mirror(reflecting: child.value).children)
      guard pair.count == 2 else { return (nil, child.value) }
      return (leaf(pair[0].value), pair[1].value)
    default: return (child.label, child.value)
    }
  }

  private static func title(of value: Any, _ mirror: Mirror) -> String {
    switch mirror.displayStyle {
    case .enum: mirror.children.first?.label ?? "\(type(of: value))"
    case .collection, .set, .dictionary: "\(mirror.children.count) elements"
    case .tuple: "()"
    default: "\(type(of: value))"
    }
  }

  private static func leaf(_ value: Any) -> String {
    value is String || value is Character ? String(reflecting: value) : String(describing: value)
  }

  // MARK: Differences

  private static func merged(_ before: [Line], _ after: [Line]) -> [String] {
    let difference = after.difference(from: before)
    var removed: Set<Int> = []
    var inserted: Set<Int> = []
    for change in difference {
      switch change {
      case .remove(let offset, _, _): removed.insert(offset)
      case .insert(let offset, _, _): inserted.insert(offset)
      }
    }
    // Unchanged lines are only shown if they contain a change.
    var path: [Line] = []
    var shown = 0
    var result: [String] = []
    func add(_ line: Line, _ mark: String) {
      for line in path[shown...] { result.append(line.marked(" ")) }
      shown = path.count
      result.append(line.marked(mark))
    }
    func step(to line: Line) {
      while let last = path.last, last.depth >= line.depth { path.removeLast() }
      shown = min(shown, path.count)
    }
    var (old, new) = (0, 0)
    while old < before.count || new < after.count {
      if old < before.count, removed.contains(old) {
        step(to: before[old])
        add(before[old], "-")
        old += 1
      } else if new < after.count, inserted.contains(new) {
        step(to: after[new])
        add(after[new], "+")
        new += 1
      } else {
        step(to: after[new])
        path.append(after[new])
        old += 1
        new += 1
      }
    }
    return result
  }
}
