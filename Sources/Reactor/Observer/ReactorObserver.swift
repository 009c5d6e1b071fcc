/// Receives each step of the reactors that it observes: which actions were sent, and what they led
/// to.
///
/// ```swift
/// struct Printer: ReactorObserver {
///   func observe(_ step: ReactorStep) { print(step) }
/// }
///
/// ReactorObservers.add(Printer())
/// ```
///
/// It is added for the whole process, for the reactors of one type, or for one of them; see
/// ``ReactorObservers``. Reactors without observers pay nothing.
///
/// **Runs on** the reactor, as part of the turn that it is notified of, and never under a lock: it
/// takes time of that reactor only. Wrap a slow observer in a `BufferedObserver` of
/// `ReactorInstrumentation`. Steps of different reactors are delivered on different threads at the
/// same time.
///
/// **Order**: for one reactor, as it happened. A refusal at admission is detected on the sender's
/// thread, and delivered there.
///
/// **Actions that it sends** are queued and observed like all others. An action that an observer
/// sends while it is notified of an action that an observer has sent is performed, but not
/// delivered to observers, and this is reported once. Otherwise it could continue without end.
public protocol ReactorObserver: Sendable {
  /// Receives a step.
  ///
  /// - Parameter step: What has happened, in which reactor, to which action, and why.
  func observe(_ step: ReactorStep)

  /// The task-local values that actions sent to an observed reactor carry; none by default.
  ///
  /// They are carried as if each reactor had named them in its ``TaskLocals``. Read once, when the
  /// observer is added.
  var carried: TaskLocals { get }

  /// The steps that the observer needs, so that nothing else has to be computed; everything by
  /// default.
  ///
  /// Read once, when the observer is added.
  var needs: ObserverNeeds { get }

  /// Returns task-local values to bind around work that is about to begin; none by default.
  ///
  /// Called after ``ReactorStep/Kind/begun(waited:)`` was delivered, for `mutate`, and after
  /// ``ReactorStep/Kind/effectBegun(_:)``, for the effect's body. The action's carried values are
  /// bound during the call. Actions that this work sends carry these values in turn.
  ///
  /// - Parameter step: The step.
  /// - Returns: The values.
  func values(for step: ReactorStep) -> TaskLocalValues
}

extension ReactorObserver {
  /// Everything.
  public var needs: ObserverNeeds { .everything }

  /// None.
  public var carried: TaskLocals { .none }

  /// Returns no values.
  ///
  /// - Parameter step: The step.
  /// - Returns: No values.
  public func values(for step: ReactorStep) -> TaskLocalValues { .none }
}

/// Task-local values that an observer binds around work.
///
/// ```swift
/// TaskLocalValues(Request.$id, "4711")
/// ```
public struct TaskLocalValues: Sendable {
  let values: [any BoundLocal]

  /// Creates a value for a task-local, given by its projection.
  ///
  /// - Parameters:
  ///   - local: The projection.
  ///   - value: The value.
  public init<Value: Sendable>(_ local: TaskLocal<Value>, _ value: Value) {
    values = [BoundTaskLocal(local, value)]
  }

  /// No values.
  public static let none = TaskLocalValues()

  private init() { values = [] }
}
