/// Whether two errors are of one type, and equal.
///
/// Errors of a type that is not `Equatable` are equal if they are printed alike: then an error is
/// equal to itself in any case.
package func areEqual(_ one: any Error, _ other: any Error) -> Bool {
  guard type(of: one) == type(of: other) else { return false }
  guard let equatable = one as? any Equatable else {
    return String(reflecting: one) == String(reflecting: other)
  }
  return equatable.isEqual(to: other)
}

extension Equatable {
  /// Whether another value is of this type, and equal.
  package func isEqual(to other: Any) -> Bool { other as? Self == self }
}
