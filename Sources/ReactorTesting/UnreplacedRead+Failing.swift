import IssueReporting
package import ReactorDependencies

/// A dependency that a test reads and has not replaced fails the test.
///
/// It is enough that a test target links this: see ``UnreplacedRead``.
extension UnreplacedRead: UnreplacedReadReporter {
  package static func report(_ read: UnreplacedRead) {
    guard isTesting else { return }
    let place = read.place
    TestPlace(place.fileID, place.filePath, place.line, place.column).fail(read.message)
  }
}
