/// An edit of the line that is being typed.
public enum LineEdit: Equatable, Sendable {
  /// The new text of the line.
  ///
  /// Several typed characters, or a paste, may arrive as one change; a paste may have line breaks.
  case changed(String)
  /// The line was ended with Enter, or is one line of a paste that was: it is delivered as the next
  /// line.
  case entered
  /// The line was dropped with Ctrl-C.
  case dropped
}
