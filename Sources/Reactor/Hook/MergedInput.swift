import ReactorRuntime

/// What comes into a hook, and what comes from elsewhere: each as it comes.
///
/// Made by ``ReactorMutations/merging(_:)`` and ``ReactorActions/merging(_:)``. It ends when the
/// reactor does, whoever else goes on; a sequence that ends earlier is no longer asked, that is
/// all.
///
/// **Order**: of each source, its own. **Back pressure**: another sequence is asked for its next
/// element when the hook has passed the last one on.
public struct _MergedInput<Element: Sendable>: AsyncSequence, Sendable {
  /// Nothing goes wrong here.
  public typealias Failure = Never

  /// Asks another sequence for all it has, and puts it where the hook's input is.
  typealias Source = @Sendable (HookChannel<Element>) async -> Void

  let channel: HookChannel<Element>?
  let sources: [Source]

  /// Starts the one iteration, and with it that of the others.
  ///
  /// - Returns: An iterator; an empty one from the second call on.
  public func makeAsyncIterator() -> some AsyncIteratorProtocol<Element, Never> & SendableMetatype {
    HookIterator(claiming: channel, merging: sources)
  }

  /// Takes in one more sequence.
  ///
  /// - Parameter other: The sequence; iterated by a task of its own.
  /// - Returns: This, and what comes of the other.
  public func merging<Other: AsyncSequence<Element, Never> & Sendable>(
    _ other: Other
  ) -> _MergedInput {
    _MergedInput(channel: channel, sources: sources + [Self.source(other)])
  }

  static func source<Other: AsyncSequence<Element, Never> & Sendable>(_ other: Other) -> Source {
    { channel in
      for await element in other {
        let latch = Latch()
        guard channel.push(element, ticket: .outside(latch)) else { return }
        await latch.wait()
      }
    }
  }
}
