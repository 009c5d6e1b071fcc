public import Reactor
import ReactorRuntime

/// What `mutate` returns, as data: which mutations it emits at once, and which effects it starts.
///
/// ```swift
/// .concat(.just(.setLoading(true)), .run("load"), .just(.setLoading(false)))
/// ```
///
/// An effect is compared by its name; see ``/Reactor/MutationStream/named(_:)``. An effect without
/// a name is equal only to itself. Nested `concat`s are one, and so are mutations that follow each
/// other. What is around an effect, such as `map(_:)` and `onEnd(clock:_:)`, is not compared, and
/// neither is what is in an effect with a name.
public struct EffectPlan<Mutation: Sendable>: Sendable {
  indirect enum Content: Sendable {
    case emits([Mutation])
    case run(String)
    /// An effect without a name.
    case unnamed(Unnamed)
    case concat([Content])
    case merge([Content])
    case prioritized(Content, TaskPriority)
    case cancelledByDrain(Content)
  }

  /// The identity of an effect without a name.
  final class Unnamed: Sendable {}

  let content: Content

  init(_ content: Content) { self.content = content.simplified }

  /// No mutation and no effect.
  public static var empty: EffectPlan { EffectPlan(.emits([])) }

  /// Returns the plan of one mutation.
  ///
  /// - Parameter mutation: The mutation.
  /// - Returns: The plan.
  public static func just(_ mutation: Mutation) -> EffectPlan { EffectPlan(.emits([mutation])) }

  /// Returns the plan of some mutations, in order.
  ///
  /// - Parameter mutations: The mutations.
  /// - Returns: The plan.
  public static func of(_ mutations: Mutation...) -> EffectPlan { EffectPlan(.emits(mutations)) }

  /// Returns the plan of an effect.
  ///
  /// - Parameter name: The name that `named(_:)` gives it.
  /// - Returns: The plan.
  public static func run(_ name: String) -> EffectPlan { EffectPlan(.run(name)) }

  /// Returns the plan of some parts, one after another.
  ///
  /// - Parameter plans: The parts, in order.
  /// - Returns: The plan.
  public static func concat(_ plans: EffectPlan...) -> EffectPlan {
    EffectPlan(.concat(plans.map(\.content)))
  }

  /// Returns the plan of some parts that run at the same time.
  ///
  /// - Parameter plans: The parts, in the order in which they start.
  /// - Returns: The plan.
  public static func merge(_ plans: EffectPlan...) -> EffectPlan {
    EffectPlan(.merge(plans.map(\.content)))
  }

  /// Returns the plan with a priority; see ``/Reactor/MutationStream/priority(_:)``.
  ///
  /// - Parameter priority: The priority.
  /// - Returns: The plan.
  public func priority(_ priority: TaskPriority) -> EffectPlan {
    EffectPlan(.prioritized(content, priority))
  }

  /// Returns the plan of an effect that a drain cancels; see
  /// ``/Reactor/MutationStream/cancelledByDrain()``.
  ///
  /// - Returns: The plan.
  public func cancelledByDrain() -> EffectPlan { EffectPlan(.cancelledByDrain(content)) }
}

extension EffectPlan {
  /// The plan of a stream; no effect of the stream runs.
  ///
  /// - Parameter stream: The stream that `mutate` has returned.
  public init(of stream: MutationStream<Mutation>) async {
    self.init(Content(await stream.outline()))
  }
}

extension EffectPlan: Equatable where Mutation: Equatable {
  /// Whether two plans have equal parts in the same order.
  ///
  /// - Parameters:
  ///   - left: A plan.
  ///   - right: Another plan.
  /// - Returns: Whether they are equal; false if there is an effect without a name in them, unless
  ///   both are of one stream that was described once.
  public static func == (left: EffectPlan, right: EffectPlan) -> Bool {
    left.content.equals(right.content)
  }
}

extension EffectPlan: CustomStringConvertible {
  /// The plan as source; an effect without a name is `.run { … }`.
  public var description: String { content.text }
}

extension EffectPlan.Content {
  init(_ outline: EffectOutline<Mutation>) {
    switch outline {
    case .emits(let mutations): self = .emits(mutations)
    case .run: self = .unnamed(EffectPlan.Unnamed())
    case .named(let name): self = .run(name)
    case .concat(let parts): self = .concat(parts.map { Self($0) })
    case .merge(let parts): self = .merge(parts.map { Self($0) })
    case .prioritized(let part, let priority): self = .prioritized(Self(part), priority)
    case .cancelledByDrain(let part): self = .cancelledByDrain(Self(part))
    }
  }

  /// The same with nested parts of one kind as one, and adjacent mutations together.
  var simplified: Self {
    switch self {
    case .emits, .run, .unnamed: return self
    case .prioritized(let part, let priority): return .prioritized(part.simplified, priority)
    case .cancelledByDrain(let part): return .cancelledByDrain(part.simplified)
    case .merge(let parts):
      return .merge(
        parts.flatMap { part -> [Self] in
          let part = part.simplified
          if case .merge(let inner) = part { return inner }
          return [part]
        })
    case .concat(let parts):
      var found: [Self] = []
      for part in parts.map(\.simplified) {
        switch (part, found.last) {
        case (.emits(let new), _) where new.isEmpty: break
        case (.emits(let new), .emits(let old)?): found[found.count - 1] = .emits(old + new)
        case (.concat(let inner), _): found = Self.concat(found + inner).simplified.parts
        default: found.append(part)
        }
      }
      return found.count > 1 ? .concat(found) : found.first ?? .emits([])
    }
  }

  private var parts: [Self] {
    switch self {
    case .concat(let parts): parts
    case .emits(let mutations): mutations.isEmpty ? [] : [self]
    default: [self]
    }
  }

  var hasUnnamed: Bool {
    switch self {
    case .emits, .run: false
    case .unnamed: true
    case .concat(let parts), .merge(let parts): parts.contains(where: \.hasUnnamed)
    case .prioritized(let part, _), .cancelledByDrain(let part): part.hasUnnamed
    }
  }

  var text: String {
    func list(_ parts: [Self]) -> String { parts.map(\.text).joined(separator: ", ") }
    return switch self {
    case .emits(let mutations):
      switch mutations.count {
      case 0: ".empty"
      case 1: ".just(\(SourceText.of(mutations[0])))"
      default: ".of(\(mutations.map { SourceText.of($0) }.joined(separator: ", ")))"
      }
    case .run(let name): ".run(\(name.debugDescription))"
    case .unnamed: ".run { … }"
    case .concat(let parts): ".concat(\(list(parts)))"
    case .merge(let parts): ".merge(\(list(parts)))"
    case .prioritized(let part, let priority): "\(part.text).priority(.\(priority))"
    case .cancelledByDrain(let part): "\(part.text).cancelledByDrain()"
    }
  }
}

extension EffectPlan.Content where Mutation: Equatable {
  func equals(_ other: Self) -> Bool {
    switch (self, other) {
    case (.emits(let left), .emits(let right)): left == right
    case (.run(let left), .run(let right)): left == right
    case (.unnamed(let left), .unnamed(let right)): left === right
    case (.concat(let left), .concat(let right)), (.merge(let left), .merge(let right)):
      left.elementsEqual(right) { $0.equals($1) }
    case (.prioritized(let left, let one), .prioritized(let right, let other)):
      one == other && left.equals(right)
    case (.cancelledByDrain(let left), .cancelledByDrain(let right)): left.equals(right)
    default: false
    }
  }
}
