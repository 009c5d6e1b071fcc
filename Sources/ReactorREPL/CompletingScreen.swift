public import CommandShell

/// A screen that must define ``Screen/completion(of:)``.
///
/// ```swift
/// struct ShelfScreen: CompletingScreen {
///   func completion(of state: Shelf.State) -> CommandCompletion {
///     CommandCompletion(commands: commands.withHelpAndQuit.infos, known: …)
///   }
///   …
/// }
/// ```
///
/// A function that is spelled correctly works without this protocol, too. With it, every other
/// spelling is an error that says what is expected: another label, `async`, or another result.
public protocol CompletingScreen: Screen {
  /// The completions for Tab; see ``Screen/completion(of:)``.
  func completion(of state: R.State) -> CommandCompletion
}

extension CompletingScreen {
  /// Unavailable: an author who names ``CompletingScreen`` writes the function.
  @available(
    *, unavailable,
    message: "write 'func completion(of state: R.State) -> CommandCompletion', exactly so"
  )
  public func completion(of state: R.State) -> CommandCompletion { CommandCompletion(commands: []) }
}
