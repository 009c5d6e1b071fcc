/// What happens to the line that is being typed.
public enum LineEdit: Equatable, Sendable {
  /// The line reads so now. A fast typist's letters, or a paste, may come in one; a paste may have
  /// line breaks in it.
  case changed(String)
  /// The line was ended with Enter, or is one of a paste that was: it comes as the next line.
  case entered
  /// The line was dropped with Ctrl-C.
  case dropped
}
