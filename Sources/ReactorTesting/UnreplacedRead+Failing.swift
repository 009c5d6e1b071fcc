import IssueReporting
package import ReactorDependencies

#if canImport(Testing)
  import Testing
#endif

/// A dependency that a test reads and has not replaced fails the test.
///
/// It is enough that a test target links this: see ``UnreplacedRead``.
extension UnreplacedRead: UnreplacedReadReporter {
  package static func report(_ read: UnreplacedRead) {
    guard isTesting else { return }
    #if canImport(Testing)
      // In a task of no test. IssueReporting takes that for XCTest, which ignores what is reported
      // while none of its tests runs; so does Swift Testing.
      if Test.current == nil {
        Issue.record(Comment(rawValue: read.message), sourceLocation: read.place.location)
      }
    #endif
    let place = read.place
    TestPlace(place.fileID, place.filePath, place.line, place.column).fail(read.message)
  }
}

#if canImport(Testing)
  extension SourcePlace {
    fileprivate var location: SourceLocation {
      SourceLocation(
        fileID: "\(fileID)", filePath: "\(filePath)", line: Int(line), column: Int(column))
    }
  }
#endif
