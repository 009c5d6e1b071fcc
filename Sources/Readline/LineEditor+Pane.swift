import CommandShell
import CReadline

/// The rows below the line: a scroll region of readline's own, and what is not in it.
extension LineEditor {
  /// Shows rows in the pane, the line being typed left alone unless it has to make room.
  func paint(_ rows: [StyledText]) {
    pane.want(rows)
    // Others have the screen: the rows come with the line.
    guard !isPaused else { return }
    if pane.needsLayout { return layOut() }
    creadline_write(pane.paint())
    creadline_flush()
  }

  /// The window has another size.
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
      // Where the prompt wraps depends on the width.
      rewrapPrompt()
      rl_forced_update_display()
    }
    creadline_write(pane.paint())
    creadline_flush()
  }

  /// Tells readline that its screen is the region above the pane.
  ///
  /// Of a window that is hardly one it is told more than there is: it divides by what is left of a
  /// row after the prompt, and ends the program where that is nothing.
  func fitReadline() {
    creadline_set_screen_size(Int32(readlineRows), Int32(readlineColumns))
  }

  var readlineRows: Int { max(pane.regionRows, 2) }
  var readlineColumns: Int { max(pane.window.columns, 8) }

  /// Ctrl-L clears all of the screen.
  func restoreClearedPane() {
    guard creadline_has_cleared_screen() != 0, isEditing, pane.height > 0 else { return }
    pane.wasCleared()
    layOut()
  }

  /// What has been typed so far, if it reads otherwise than the last time; nil as well while more
  /// waits to be read, and during a search, whose findings are not what anybody has typed.
  func takeNewText() -> String? {
    guard isEditing, !isPaused, creadline_shows_message() == 0, !EditorHooks.isInputAvailable,
      let buffer = creadline_buffer()
    else { return nil }
    let bytes = UnsafeRawBufferPointer(start: buffer, count: Int(creadline_end()))
    guard !bytes.elementsEqual(toldText) else { return nil }
    toldText = Array(bytes)
    return String(decoding: toldText, as: UTF8.self)
  }
}

/// Bytes on their way to the screen, which the next flush sends.
func creadline_write(_ bytes: [UInt8]) {
  creadline_write(bytes, bytes.count)
}
