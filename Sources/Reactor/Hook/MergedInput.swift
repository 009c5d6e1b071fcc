import ReactorRuntime

/// A hook's input, merged with other sequences; the elements arrive in the order in which they are
/// produced.
///
/// Made by ``ReactorMutations/merging(_:)`` and ``ReactorActions/merging(_:)``. It ends when the
/// reactor does, even if other sequences have more elements. A sequence that ends earlier is no
/// longer iterated, and the input continues.
///
/// **Order**: the elements of each source keep their order. **Back-pressure**: another sequence is
/// asked for its next element when the hook has passed its last one on.
public struct _MergedInput<Element: Sendable>: AsyncSequence, Sendable {
  /// Iterating it never fails.
  public typealias Failure = Never

  /// Iterates another sequence, and pushes its elements into the hook's input.
  typealias Source = @Sendable (HookChannel<Element>) async -> Void

  let channel: HookChannel<Element>?
  let sources: [Source]

  /// Starts the one iteration, and the iteration of the other sequences.
  ///
  /// - Returns: An iterator; from the second call on, an empty one.
  public func makeAsyncIterator() -> some AsyncIteratorProtocol<Element, Never> & SendableMetatype {
    HookIterator(claiming: channel, merging: sources)
  }

  /// Merges another sequence into the input.
  ///
  /// - Parameter other: The sequence, which is iterated by a task of its own.
  /// - Returns: This input with the elements of the other sequence.
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
