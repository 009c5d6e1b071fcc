/// Any sequence that does not fail, so that a test can choose its hook at run time.
struct Erased<Element: Sendable>: AsyncSequence {
  typealias Failure = Never

  private let base: any AsyncSequence<Element, Never>

  init(_ base: any AsyncSequence<Element, Never>) { self.base = base }

  func makeAsyncIterator() -> Iterator { Iterator(base: base.makeAsyncIterator()) }

  struct Iterator: AsyncIteratorProtocol {
    var base: any AsyncIteratorProtocol<Element, Never>

    mutating func next() async -> Element? { await base.next(isolation: nil) }

    mutating func next(isolation actor: isolated (any Actor)?) async -> Element? {
      await base.next(isolation: actor)
    }
  }
}
