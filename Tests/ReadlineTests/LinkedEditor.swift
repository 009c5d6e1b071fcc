/// The line editor that the tests run with.
enum LinkedEditor {
  /// Whether it is GNU readline, which has a search and settings of the user; see the page
  /// *A reactor at the terminal* for what libedit does instead.
  static var isReadline: Bool {
    #if Libedit
      false
    #else
      true
    #endif
  }
}
