import TestLimits
import TestSupport
import Testing

@testable import ReactorComposition

/// A closure in a lock is called as it was stored: one that is read out of a generic value and
/// written back is wrapped once more each time, so that each call needs more of the stack.
@Suite(.bounded) struct CombinedCallDepthTests {
  @Test func `each change of combined states is shown from the same depth of the stack`() {
    let (combination, depths) = (CombinationState(columns: 1), Log<UInt>())
    combination.setChangeHandler { depths.append(Self.stackAddress()) }
    for version in 1...1_000 { combination.begin(0, atVersion: UInt64(version)) }
    #expect(depths.count == 1_000 && Set(depths.entries).count == 1)
  }

  /// The address of a local variable of the caller's callee.
  @inline(never) private static func stackAddress() -> UInt {
    var local = 0
    return withUnsafeMutablePointer(to: &local) { UInt(bitPattern: $0) }
  }
}
