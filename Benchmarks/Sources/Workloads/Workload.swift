/// Does something so many times, and says what that took: preparing and tidying up are not counted.
///
/// It looks at what came of it, each time; a wrong result ends the process.
package typealias Workload = @Sendable (_ count: Int) async -> Reading

/// Keeps the optimiser from leaving out what nobody looks at.
@inline(never)
func use<Value>(_ value: Value) {}

/// Ends the process unless a workload did what it is there for.
@inline(__always)
func check<Value: Equatable>(
  _ value: Value, is expected: Value, file: StaticString = #fileID, line: UInt = #line
) {
  guard value == expected else {
    fatalError("\(value) rather than \(expected)", file: file, line: line)
  }
}
