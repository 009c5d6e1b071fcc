import IssueReporting
package import ReactorDependencies

#if canImport(Testing)
  import Testing
#endif

/// Fails a test that reads a dependency without having replaced it.
///
/// Linking this module into a test target is enough: see ``UnreplacedRead``.
extension UnreplacedRead: UnreplacedReadReporter {
  package static func report(_ read: UnreplacedRead) {
    guard isTesting else { return }
    #if canImport(Testing)
      // A task that belongs to no test. IssueReporting takes it for a task of XCTest, which ignores
      // what is reported while none of its tests runs; so does Swift Testing.
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
