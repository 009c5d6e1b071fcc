/// Returns whether two errors have the same type and are equal.
///
/// Errors of a type that is not `Equatable` are equal if their debug descriptions are. So an error
/// always equals itself.
package func areEqual(_ one: any Error, _ other: any Error) -> Bool {
  guard type(of: one) == type(of: other) else { return false }
  guard let equatable = one as? any Equatable else {
    return String(reflecting: one) == String(reflecting: other)
  }
  return equatable.isEqual(to: other)
}

extension Equatable {
  /// Returns whether another value has this type and is equal.
  package func isEqual(to other: Any) -> Bool { other as? Self == self }
}
