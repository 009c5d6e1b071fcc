/// Is told what reactors do, step by step: what was sent, by whom, and what came of it.
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
/// ``ReactorObservers``. Nobody pays anything where nobody observes.
///
/// **Runs on** the reactor, as part of the turn that it is told of, and never under a lock: what it
/// does takes the reactor's time and no other's. One that takes long is wrapped in a
/// `BufferedObserver` of `ReactorInstrumentation`. Steps of different reactors come on different
/// threads at the same time.
///
/// **Order**: of one reactor, as it happened. What is refused at the door is noticed on the
/// sender's thread, and told there.
///
/// **What it sends** waits its turn as any action does, and is observed in turn. What an observer
/// sends while it is told of an action that an observer has sent is performed, told to nobody, and
/// reported once: else it would go on for ever.
public protocol ReactorObserver: Sendable {
  /// Is told of a step.
  ///
  /// - Parameter step: What has happened, in which reactor, to which action, and why.
  func observe(_ step: ReactorStep)

  /// The task-local values that come along with every action that is sent to a reactor it observes,
  /// as if each had named them in its ``TaskLocals``; none by default.
  ///
  /// Read once, when it is added.
  var carried: TaskLocals { get }

  /// What it needs to be told, so that nobody pays for the rest; everything by default.
  ///
  /// Read once, when it is added.
  var needs: ObserverNeeds { get }

  /// What is bound around a piece of work that is about to begin; nothing by default.
  ///
  /// Asked after it was told of ``ReactorStep/Kind/begun(waited:)``, for `mutate`, and of
  /// ``ReactorStep/Kind/effectBegun(_:)``, for the effect's body, in the task that had the action's
  /// carried values bound. What they send has these values for its own.
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

  /// Nothing.
  ///
  /// - Parameter step: The step.
  /// - Returns: No values.
  public func values(for step: ReactorStep) -> TaskLocalValues { .none }
}

/// Task-local values that are to be bound around something.
///
/// ```swift
/// TaskLocalValues(Request.$id, "4711")
/// ```
public struct TaskLocalValues: Sendable {
  let values: [any BoundLocal]

  /// A value of a task-local, by its projection.
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
