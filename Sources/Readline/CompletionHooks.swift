package import CommandShell
#if Libedit
  import CEditline
#else
  import CReadline
#endif

/// Connects readline's completion, when Tab is pressed, to the program's completer.
///
/// For readline the whole line is one word, and its candidates are whole lines. The list shows the
/// program's labels.
enum CompletionHooks {
  typealias Matches = UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>

  // Guard: used on the reader's thread only, as are the editor's hooks.
  nonisolated(unsafe) private static var labels: [String] = []

  /// Returns readline's array of matches: the new line, then every candidate; nil for none.
  static func complete(end: Int32) -> Matches? {
    creadline_leave_completion_to_program()
    labels = []
    guard let buffer = creadline_buffer(), let completer = EditorHooks.completer else { return nil }
    let typed = UnsafeBufferPointer(start: buffer, count: Int(end)).map(UInt8.init(bitPattern:))
    // A line that is not valid text would be changed by the conversion.
    guard let text = String(validating: typed, as: UTF8.self) else { return nil }
    // In a paste, the line that the cursor is in is completed.
    let scalars = text.unicodeScalars
    let start = scalars.lastIndex(of: "\n").map { scalars.index(after: $0) } ?? text.startIndex
    let (above, line) = (String(text[..<start]), String(text[start...]))
    let completion = completer(line)
    guard let become = completion.result(in: line) else { return nil }
    labels = completion.candidates.map(\.label)
    guard labels.count > 1 else { return array([above + become]) }
    return array(([become] + completion.lines(from: line)).map { above + $0 })
  }

  /// Lists the candidates of the last completion below the line.
  static func list() {
    guard let matches = array([""] + labels) else { return }
    creadline_list(matches, Int32(labels.count), labels.map { creadline_width($0) }.max() ?? 0)
    for index in 0...labels.count { creadline_free(matches[index]) }
    creadline_free(matches)
  }

  static func forget() { labels = [] }

  /// Creates a C array of C strings, with nil at its end; the receiver frees it.
  private static func array(_ strings: [String]) -> Matches? {
    let size = (strings.count + 1) * MemoryLayout<UnsafeMutablePointer<CChar>?>.stride
    let array = creadline_allocate(size)?.bindMemory(
      to: UnsafeMutablePointer<CChar>?.self, capacity: strings.count + 1)
    for (index, string) in strings.enumerated() { array?[index] = creadline_copy(string) }
    array?[strings.count] = nil
    return array
  }
}

extension LineCompletion {
  /// Returns the line after the completion; nil if there is no candidate.
  ///
  /// The text is extended as far as all candidates agree. If they agree on less than has been
  /// typed, as candidates that differ in case may, the line is unchanged.
  package func result(in line: String) -> String? {
    guard var agreed = candidates.first?.text[...] else { return nil }
    guard candidates.count == 1 || isSharedInserted else { return line }
    for candidate in candidates.dropFirst() {
      // Whole characters are compared: an accent needs its base, and a character all of its
      // bytes.
      let same = zip(agreed, candidate.text).prefix { $0.utf8.elementsEqual($1.utf8) }
      agreed = agreed.prefix(same.count)
    }
    let typed = line[start...]
    let isLess = candidates.count > 1 && agreed.count < typed.count
    return isLess ? line : String(line[..<start] + agreed)
  }

  /// The lines that the candidates would result in.
  func lines(from line: String) -> [String] { candidates.map { String(line[..<start] + $0.text) } }
}
