/// A default that was read because its key had not been replaced.
///
/// **The seam.** A testing kit conforms this type to ``UnreplacedReadReporter``, and is told of
/// each, wherever it is linked: conformances are looked up while the program runs, so that this
/// product knows no kit, and a program without one has none. Looked up each time, since the tests
/// of an application can be loaded after it has begun.
package struct UnreplacedRead: Sendable {
  /// The name of the key's type.
  package let key: String
  /// The property of ``ReactorDependencies`` that has it, if it was read by one.
  package let property: String?
  package let place: SourcePlace

  static func tell<Key: ReactorDependencyKey>(
    of key: Key.Type, _ name: StaticString, at place: SourcePlace
  ) {
    let type: any Any.Type = UnreplacedRead.self
    guard let reporter = type as? any UnreplacedReadReporter.Type else { return }
    let name = "\(name)"
    // In a function it is that one's name, with its brackets.
    let property = name.hasSuffix(")") ? nil : name
    reporter.report(UnreplacedRead(key: "\(key)", property: property, place: place))
  }

  /// What a test that fails says.
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

/// Told of defaults that were read without having been replaced.
package protocol UnreplacedReadReporter {
  static func report(_ read: UnreplacedRead)
}

/// Where something stands in the source.
package struct SourcePlace: Sendable {
  package let fileID: StaticString
  package let filePath: StaticString
  package let line: UInt
  package let column: UInt
}
