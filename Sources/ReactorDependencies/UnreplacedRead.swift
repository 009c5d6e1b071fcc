/// A default that was read because its key had not been replaced.
///
/// A testing library conforms this type to ``UnreplacedReadReporter``, and then receives each such
/// read in every program that links it. The conformance is looked up at run time, so this product
/// depends on no testing library. It is looked up for each read, since the tests of an application
/// can be loaded after its start.
package struct UnreplacedRead: Sendable {
  /// The name of the key's type.
  package let key: String
  /// The property of ``ReactorDependencies`` that was read; nil if the key was read directly.
  package let property: String?
  package let place: SourcePlace

  static func report<Key: ReactorDependencyKey>(
    of key: Key.Type, _ name: StaticString, at place: SourcePlace
  ) {
    let type: any Any.Type = UnreplacedRead.self
    guard let reporter = type as? any UnreplacedReadReporter.Type else { return }
    let name = "\(name)"
    // In a function, the name is the function's, with its parentheses.
    let property = name.hasSuffix(")") ? nil : name
    reporter.report(UnreplacedRead(key: "\(key)", property: property, place: place))
  }

  /// The message of a failing test.
  package var message: String {
    let name = property.map { "'\($0)' (\(key))" } ?? "'\(key)'"
    let setting = property.map { "$0.\($0)" } ?? "$0[\(key).self]"
    return """
      the dependency \(name) was read and had not been replaced, so this test has its default; \
      replace it: 'ReactorDependencies.with { \(setting) = … } make: { … }', or say in \(key) that \
      the default serves tests: 'static var allowsDefaultInTests: Bool { true }'
      """
  }
}

/// Receives reads of defaults that had not been replaced.
package protocol UnreplacedReadReporter {
  static func report(_ read: UnreplacedRead)
}

/// A source location.
package struct SourcePlace: Sendable {
  package let fileID: StaticString
  package let filePath: StaticString
  package let line: UInt
  package let column: UInt
}
