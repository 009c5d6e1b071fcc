package import Reactor

extension MutationStream {
  /// Everything the stream has, on its own.
  package func elements() async throws -> [Mutation] {
    var elements: [Mutation] = []
    for try await element in self { elements.append(element) }
    return elements
  }
}
