/// Receives each step of one reactor: a test, a recorder, or the observers of the reactor.
///
/// **Runs on** the reactor, in order, or where the reactor is released; on any thread for `report`
/// and `noted`. Never under a lock.
///
/// Everything that receives the steps of a reactor is a sink. The engine uses no other type for it.
@usableFromInline
package protocol StepSink<Action, Mutation, State, Output>: AnyObject, Sendable {
  associatedtype Action: Sendable
  associatedtype Mutation: Sendable
  associatedtype State: Sendable
  associatedtype Output: Sendable
  typealias Step = PipelineStep<Action, Mutation, State, Output>

  func receive(_ step: Step)

  /// Whether it receives every mutation. If not, it may miss those whose states no subscriber
  /// needs.
  var needsMutations: Bool { get }

  /// Whether it handles reports, so that no line is printed for them.
  var handlesReports: Bool { get }
}

extension StepSink {
  @usableFromInline package var needsMutations: Bool { true }

  @usableFromInline package var handlesReports: Bool { false }
}

/// The sinks of one reactor, in the order in which they were added.
@usableFromInline
package struct StepSinks<
  Action: Sendable, Mutation: Sendable, State: Sendable, Output: Sendable
>: Sendable {
  @usableFromInline
  package typealias Sink = any StepSink<Action, Mutation, State, Output>
  @usableFromInline
  package typealias Step = PipelineStep<Action, Mutation, State, Output>

  @usableFromInline let all: [Sink]

  /// - Returns: `nil` if there are none.
  init?(_ all: [Sink]) {
    if all.isEmpty { return nil }
    self.all = all
  }

  @inlinable
  func receive(_ step: Step) {
    for sink in all { sink.receive(step) }
  }

  var needMutations: Bool { all.contains { $0.needsMutations } }

  var handleReports: Bool { all.contains { $0.handlesReports } }
}

/// A sink that is a closure.
package final class StepListener<
  Action: Sendable, Mutation: Sendable, State: Sendable, Output: Sendable
>: StepSink {
  private let body: @Sendable (PipelineStep<Action, Mutation, State, Output>) -> Void
  private let answers: @Sendable () -> Bool

  package init(
    handlesReports: @escaping @Sendable () -> Bool = { false },
    _ body: @escaping @Sendable (PipelineStep<Action, Mutation, State, Output>) -> Void
  ) {
    (self.body, answers) = (body, handlesReports)
  }

  package var handlesReports: Bool { answers() }

  package func receive(_ step: PipelineStep<Action, Mutation, State, Output>) { body(step) }
}
