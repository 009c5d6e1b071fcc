public import Reactor

/// A mutation of one part of a state, for a reactor that consists of parts.
///
/// ```swift
/// actor AppReactor: ComposedReactor {
///   enum Action { case todos(Todos.Action), timeline(Timeline.Action), logOut }
///   struct State { var todos = Todos.State(), timeline = Timeline.State() }
///
///   let initialState = State()
///   let pipeline = Pipeline()
///   let todos = Todos()
///   let timeline: Timeline
///
///   func mutate(action: Action) -> MutationStream<Mutation> {
///     switch action {
///     case .todos(let action): todos.mutate(action: action, at: \.todos, of: currentState)
///     case .timeline(let action):
///       timeline.mutate(action: action, at: \.timeline, of: currentState)
///     case .logOut: .of(Mutation(.clear, of: todos, at: \.todos), …)
///     }
///   }
/// }
/// ```
///
/// A ``ComposedReactor``, or a ``ComposedPart``, needs no `reduce`: the mutation calls the `reduce`
/// of its part. A mutation is not `Codable`; a journaled reactor declares an enum of mutations
/// instead, see ``ReactorPart``.
///
/// Two mutations are equal if they are of the same place in the state, and the parts' mutations are
/// equal. Mutations that are not `Equatable` are not equal.
public struct PartMutation<State: Sendable>: Sendable {
  @usableFromInline let change: any PartChange<State>

  @inlinable
  init(_ change: any PartChange<State>) { self.change = change }

  /// Creates a mutation of a part.
  ///
  /// - Parameters:
  ///   - mutation: The part's mutation.
  ///   - part: The part, whose `reduce` applies it.
  ///   - path: The place of the part's state.
  @inlinable
  public init<Part: ReactorPart>(
    _ mutation: Part.Mutation, of part: Part,
    at path: any WritableKeyPath<State, Part.State> & Sendable
  ) {
    change = PresentPartChange(mutation: mutation, part: part, path: path)
  }

  /// Creates a mutation of a part that may be absent; it is ignored while there is no state.
  ///
  /// - Parameters:
  ///   - mutation: The part's mutation.
  ///   - part: The part, whose `reduce` applies it.
  ///   - path: The place of the part's state.
  @inlinable
  public init<Part: ReactorPart>(
    _ mutation: Part.Mutation, of part: Part,
    at path: any WritableKeyPath<State, Part.State?> & Sendable
  ) {
    change = OptionalPartChange(mutation: mutation, part: part, path: path)
  }

  /// The part's own mutation.
  public var value: any Sendable { change.value }

  /// The place of the part's state.
  public var path: any PartialKeyPath<State> & Sendable { change.place }

  /// Applies it to the whole state.
  ///
  /// - Parameter state: The state, modified in place.
  @inlinable
  public func apply(to state: inout State) { change.apply(to: &state) }
}

extension PartMutation: Equatable {
  /// Compares the places, and the parts' mutations.
  ///
  /// - Parameters:
  ///   - lhs: A mutation.
  ///   - rhs: Another one.
  /// - Returns: Whether both are `Equatable` and equal.
  public static func == (lhs: PartMutation, rhs: PartMutation) -> Bool {
    guard lhs.path == rhs.path, let value = lhs.value as? any Equatable else { return false }
    return value.isEqual(to: rhs.value)
  }
}

extension Equatable {
  fileprivate func isEqual(to other: Any) -> Bool { other as? Self == self }
}

extension PartMutation: CustomReactorReportable, CustomDebugStringConvertible {
  /// The part, and its mutation as reports show it: `Todos.add`.
  public var reportDescription: String { "\(change.name).\(ReportText.text(of: value))" }

  /// The part, and its mutation in full.
  public var debugDescription: String { "\(change.name).\(value)" }
}

/// A mutation together with its part and the place of its state.
@usableFromInline
protocol PartChange<Whole>: Sendable {
  associatedtype Whole

  var value: any Sendable { get }
  var place: any PartialKeyPath<Whole> & Sendable { get }
  var name: String { get }

  func apply(to state: inout Whole)
}

@usableFromInline
struct PresentPartChange<Part: ReactorPart, Whole: Sendable>: PartChange {
  @usableFromInline let mutation: Part.Mutation
  @usableFromInline let part: Part
  @usableFromInline let path: any WritableKeyPath<Whole, Part.State> & Sendable

  @inlinable
  init(mutation: Part.Mutation, part: Part, path: any WritableKeyPath<Whole, Part.State> & Sendable)
  {
    (self.mutation, self.part, self.path) = (mutation, part, path)
  }

  @usableFromInline var value: any Sendable { mutation }
  @usableFromInline var place: any PartialKeyPath<Whole> & Sendable { path }
  @usableFromInline var name: String { "\(Part.self)" }

  @inlinable
  func apply(to state: inout Whole) {
    part.reduce(state: &state[keyPath: path], mutation: mutation)
  }
}

@usableFromInline
struct OptionalPartChange<Part: ReactorPart, Whole: Sendable>: PartChange {
  @usableFromInline let mutation: Part.Mutation
  @usableFromInline let part: Part
  @usableFromInline let path: any WritableKeyPath<Whole, Part.State?> & Sendable

  @inlinable
  init(
    mutation: Part.Mutation, part: Part, path: any WritableKeyPath<Whole, Part.State?> & Sendable
  ) {
    (self.mutation, self.part, self.path) = (mutation, part, path)
  }

  @usableFromInline var value: any Sendable { mutation }
  @usableFromInline var place: any PartialKeyPath<Whole> & Sendable { path }
  @usableFromInline var name: String { "\(Part.self)" }

  @inlinable
  func apply(to state: inout Whole) {
    part.reduce(state: &state[keyPath: path], mutation: mutation)
  }
}
