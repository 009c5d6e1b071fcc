/// Any sequence that does not fail, so that a test can choose its hook at run time.
package struct Erased<Element: Sendable>: AsyncSequence {
  package typealias Failure = Never

  private let base: any AsyncSequence<Element, Never>

  package init(_ base: any AsyncSequence<Element, Never>) { self.base = base }

  package func makeAsyncIterator() -> Iterator { Iterator(base: base.makeAsyncIterator()) }

  package struct Iterator: AsyncIteratorProtocol {
    package var base: any AsyncIteratorProtocol<Element, Never>

    package mutating func next() async -> Element? { await base.next(isolation: nil) }

    package mutating func next(isolation actor: isolated (any Actor)?) async -> Element? {
      await base.next(isolation: actor)
    }
  }
}
