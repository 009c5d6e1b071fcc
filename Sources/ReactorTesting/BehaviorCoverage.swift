public import Reactor
import ReactorRuntime

#if canImport(Testing)
  public import Testing
#endif

/// Collects what the tests of a reactor assert, and prints what they never did.
///
/// For a suite of Swift Testing, use the trait:
///
/// ```swift
/// @Suite(.behaviorCoverage(of: SearchReactor.self)) struct SearchTests { … }
/// ```
///
/// When the suite has ended, it prints:
///
/// ```
/// SearchReactor, never asserted by 7 tests:
///   actions: clear
///   refusals: stopped
///   lanes: 'search' superseded
/// ```
///
/// Elsewhere, create a value before the tests and print it after them; it then collects from all
/// tests of the reactor's type.
///
/// It collects from each ``ReactorTest``. In an exhaustive one, everything that the reactor does is
/// asserted, or the test fails; in a relaxed one, only what its steps state. Names are those of
/// ``/Reactor/ReportText/name(of:)``.
///
/// What could be asserted is: each case of the actions, mutations and outputs, as far as they are
/// enums; the outcomes that the lanes allow of the actions that were sent; a refusal after
/// `stop()`, by middleware, and by a full inbox if that has a limit; and whatever happened.
///
/// Holds: `record`, guarded by its own lock.
public final class BehaviorCoverage<R: Reactor>: Sendable, CustomStringConvertible {
  let record = Guarded(CoverageRecord())

  /// Starts to collect from all tests of reactors of a type.
  ///
  /// - Parameter type: The type.
  public convenience init(of type: R.Type) {
    self.init()
    CoverageRegistry.add(self)
  }

  init() {
    record.withLock { record in
      record.possible[.actions] = Set(EnumCaseNames.all(of: R.Action.self))
      record.possible[.mutations] = Set(EnumCaseNames.all(of: R.Mutation.self))
      record.possible[.outputs] = Set(EnumCaseNames.all(of: R.Output.self))
      record.possible[.refusals] = ["stopped"]
    }
  }

  /// The names of actions that were never asserted.
  public var actions: [String] { names(.actions) }

  /// The names of mutations that were never asserted.
  public var mutations: [String] { names(.mutations) }

  /// The names of outputs that were never asserted.
  public var outputs: [String] { names(.outputs) }

  /// The reasons of refusals that were never asserted: `stopped`, `inboxFull`, `middleware`.
  public var refusals: [String] { names(.refusals) }

  /// The outcomes of lanes that were never asserted: `'search' evicted`.
  public var lanes: [String] { names(.lanes) }

  private func names(_ kind: CoverageRecord.Kind) -> [String] {
    record.withLock { $0.unasserted(kind) }
  }

  /// One line for each kind of which something was never asserted.
  public var description: String {
    let (tests, lines) = record.withLock { record in
      (
        record.tests,
        CoverageRecord.Kind.allCases.compactMap { kind -> String? in
          let names = record.unasserted(kind)
          return names.isEmpty ? nil : "  \(kind.rawValue): \(names.joined(separator: ", "))"
        }
      )
    }
    let count = tests == 1 ? "1 test" : "\(tests) tests"
    return lines.isEmpty
      ? "\(R.self), asserted by \(count): everything"
      : "\(R.self), never asserted by \(count):\n" + lines.joined(separator: "\n")
  }
}

/// What tests have asserted, and what they could have.
struct CoverageRecord: Sendable {
  enum Kind: String, Sendable, CaseIterable {
    case actions, mutations, outputs, refusals, lanes
  }

  var possible: [Kind: Set<String>] = [:]
  var asserted: [Kind: Set<String>] = [:]
  var tests = 0

  func unasserted(_ kind: Kind) -> [String] {
    possible[kind, default: []].subtracting(asserted[kind, default: []]).sorted()
  }
}

/// What the tests that run now report their steps to.
///
/// Holds: `all`, guarded by its own lock.
enum CoverageRegistry {
  private struct Weak: Sendable {
    weak var coverage: (any AnyObject & Sendable)?
  }

  @TaskLocal static var scoped: [any AnyObject & Sendable] = []

  private static let all = Guarded<[Weak]>([])

  static func add(_ coverage: any AnyObject & Sendable) {
    all.withLock { all in
      all.removeAll { $0.coverage == nil }
      all.append(Weak(coverage: coverage))
    }
  }

  static func of<R: Reactor>(_ type: R.Type) -> CoverageReporter<R>? {
    let global = all.withLock { $0.compactMap(\.coverage) }
    let found = (scoped + global).compactMap { $0 as? BehaviorCoverage<R> }
    return found.isEmpty ? nil : CoverageReporter(all: found)
  }
}

/// Passes on what one test does and asserts.
struct CoverageReporter<R: Reactor>: Sendable {
  let all: [BehaviorCoverage<R>]

  func begin() { change { $0.tests += 1 } }

  func add(_ lane: Lane) {
    let names = lane.possibleOutcomes.map { "'\(lane.key)' \($0)" }
    change { $0.possible[.lanes, default: []].formUnion(names) }
  }

  /// Something happened, which may be asserted later.
  func see(_ entry: RecordedEntry<R>) { change { Self.add(entry, to: &$0.possible) } }

  /// A test has asserted something.
  func assert(_ entry: RecordedEntry<R>) { change { Self.add(entry, to: &$0.asserted) } }

  private static func add(
    _ entry: RecordedEntry<R>, to names: inout [CoverageRecord.Kind: Set<String>]
  ) {
    switch entry {
    case .taken(let action): names[.actions, default: []].insert(ReportText.name(of: action))
    case .reduced(let mutation, _):
      names[.mutations, default: []].insert(ReportText.name(of: mutation))
    case .output(let output): names[.outputs, default: []].insert(ReportText.name(of: output))
    case .report(let report):
      if let (lane, outcome) = report.problem.laneOutcome {
        names[.lanes, default: []].insert("'\(lane)' \(outcome)")
      } else if let reason = RefusalReason(report.problem) {
        names[.refusals, default: []].insert(ReportText.name(of: reason))
      }
    case .began, .ended: break
    }
  }

  func addRefusal(_ reason: RefusalReason) {
    change { $0.possible[.refusals, default: []].insert(ReportText.name(of: reason)) }
  }

  private func change(_ body: (inout CoverageRecord) -> Void) {
    for coverage in all { coverage.record.withLock { body(&$0) } }
  }
}

#if canImport(Testing)
  /// Prints what the tests of a suite never assert of a reactor; see ``BehaviorCoverage``.
  public struct BehaviorCoverageTrait<R: Reactor>: SuiteTrait, TestTrait, TestScoping {
    /// Runs the tests, and prints what they have not asserted.
    ///
    /// - Parameters:
    ///   - test: The suite or the test.
    ///   - testCase: Not used.
    ///   - function: Runs the tests.
    /// - Throws: What the function throws.
    public func provideScope(
      for test: Test, testCase: Test.Case?,
      performing function: @Sendable () async throws -> Void
    ) async throws {
      let coverage = BehaviorCoverage<R>()
      defer { print(coverage) }
      try await CoverageRegistry.$scoped.withValue(CoverageRegistry.scoped + [coverage]) {
        try await function()
      }
    }
  }

  extension Trait {
    /// Prints, after a suite, what its tests never asserted of a reactor.
    ///
    /// - Parameter type: The type of the reactor.
    /// - Returns: The trait.
    public static func behaviorCoverage<R: Reactor>(of type: R.Type) -> Self
    where Self == BehaviorCoverageTrait<R> {
      BehaviorCoverageTrait()
    }
  }
#endif
