import CommandShell
#if Libedit
  import CEditline
#else
  import CReadline
#endif

/// The rows below the line: readline has a scroll region, and the pane is outside it.
extension LineEditor {
  /// Shows rows in the pane; the typed line is redrawn only if the pane needs more rows.
  func paint(_ rows: [StyledText]) {
    pane.want(rows)
    // Other programs use the screen: the rows are shown with the line again.
    guard !isPaused else { return }
    if pane.needsLayout { return layOut() }
    creadline_write(pane.paint())
    creadline_flush()
  }

  /// Handles a new size of the window.
  func screenChanged() {
    pane.resize(to: .measured(canPaint: traits.canPaint))
    guard !isPaused else { return }
    layOut()
  }

  /// Draws everything again, from the line's first row to the end of the window.
  func layOut() {
    if isEditing { creadline_clear_visible_line() }
    if pane.height > 0 || pane.needsLayout { creadline_write(pane.layOut()) }
    fitReadline()
    if isEditing {
      // The width decides where the prompt wraps.
      rewrapPrompt()
      rl_forced_update_display()
    }
    creadline_write(pane.paint())
    creadline_flush()
  }

  /// Sets readline's screen size to the region above the pane.
  ///
  /// For a very small window the size is larger than it is: readline divides by the columns that
  /// are left after the prompt, and ends the program if there are none.
  func fitReadline() {
    creadline_set_screen_size(Int32(readlineRows), Int32(readlineColumns))
  }

  var readlineRows: Int { max(pane.regionRows, 2) }
  var readlineColumns: Int { max(pane.window.columns, 8) }

  /// Ctrl-L clears the whole screen.
  func restoreClearedPane() {
    guard creadline_has_cleared_screen() != 0, isEditing, pane.height > 0 else { return }
    pane.wasCleared()
    layOut()
  }

  /// The typed text, if it has changed since the last call.
  ///
  /// It is nil as well while more input is available, and during a search, whose matches were not
  /// typed.
  func takeNewText() -> String? {
    guard isEditing, !isPaused, creadline_shows_message() == 0, !EditorHooks.isInputAvailable,
      let buffer = creadline_buffer()
    else { return nil }
    let bytes = UnsafeRawBufferPointer(start: buffer, count: Int(creadline_end()))
    guard !bytes.elementsEqual(publishedText) else { return nil }
    publishedText = Array(bytes)
    return String(decoding: publishedText, as: UTF8.self)
  }
}

/// Writes bytes to the screen, which the next flush sends.
func creadline_write(_ bytes: [UInt8]) {
  creadline_write(bytes, bytes.count)
}
