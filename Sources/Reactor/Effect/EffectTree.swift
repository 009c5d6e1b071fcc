import ReactorRuntime

/// A stream that is made of other streams.
///
/// A program may nest them to any depth, so nothing here walks or releases a tree by recursion.
///
/// A tree is not generic over mutations: a change of a part's mutations is a change of the part's
/// emitter. So one tree can contain streams of several types.
@usableFromInline
final class EffectTree: Sendable {
  enum Content: Sendable {
    /// One after another, or at the same time; see ``EffectTree/shape``.
    case parts([EffectPart])
    case changed(EffectPart, EffectChange)
  }

  /// How a tree's parts run, as seen from outside.
  enum Shape: Sendable {
    /// One effect, which has no parts.
    case whole
    case concat
    case merge
  }

  let shape: Shape
  let traits: EffectTraits
  /// Whether it does not emit all of its mutations at once.
  @usableFromInline let isEffect: Bool
  private let nested: Nested<Content>

  var content: Content { nested.value }

  /// Whether it cannot be started like most effects: it has several, or its start depends on its
  /// traits.
  @usableFromInline var startsSeparately: Bool {
    shape == .merge || traits.priority != nil || traits.isCancelledByDrain
  }

  /// Parts one after another, or at the same time.
  init(_ parts: [EffectPart], _ shape: Shape) {
    nested = Nested(.parts(parts))
    self.shape = shape
    isEffect = shape == .merge || parts.contains(where: \.isEffect)
    traits = EffectTraits(ofParts: parts)
  }

  /// A part with a change around it, or around each of its own parts.
  init(_ part: EffectPart, _ change: EffectChange) {
    nested = Nested(.changed(part, change))
    shape = change.shape(of: part.shape)
    isEffect = true
    var traits = part.traits
    switch change {
    case .map, .around, .end: break
    case .name(let name): traits.name = name
    // Each part of a merge has it.
    case .priority(let priority): if shape != .merge { traits.priority = priority }
    case .cancelledByDrain: traits.isCancelledByDrain = true
    }
    self.traits = traits
  }
}

/// A stream whose type of mutations is not known.
enum EffectPart: Sendable {
  case plain(any PlainEffect)
  case tree(EffectTree)

  /// Whether it does not emit all of its mutations at once.
  var isEffect: Bool {
    switch self {
    case .plain(let plain): plain.isEffect
    case .tree(let tree): tree.isEffect
    }
  }

  var shape: EffectTree.Shape { if case .tree(let tree) = self { tree.shape } else { .whole } }

  var traits: EffectTraits {
    if case .tree(let tree) = self { tree.traits } else { EffectTraits() }
  }
}

/// A stream that is not a tree.
protocol PlainEffect: Sendable {
  var isEffect: Bool { get }
  /// The streams that it runs one after another; `nil` if it is made of none.
  var partsInOrder: [any PlainEffect]? { get }
  func isIsolated(to actor: any Actor) -> Bool
  func run(into emit: any AnyEmitter, isolation: isolated (any Actor)?) async throws
}

/// A change around a part.
enum EffectChange: Sendable {
  /// Makes the emitter of the part from that of the whole.
  case map(@Sendable (any AnyEmitter) -> any AnyEmitter)
  /// Runs the part.
  case around(
    @Sendable (
      _ part: EffectPart, _ emit: any AnyEmitter, _ isolation: isolated (any Actor)?
    ) async throws -> Void)
  case end(EffectEnd)
  case name(String)
  case priority(TaskPriority)
  case cancelledByDrain

  /// The shape of a part with the change around it.
  func shape(of part: EffectTree.Shape) -> EffectTree.Shape {
    switch self {
    case .map, .cancelledByDrain: part
    case .around, .priority: part == .merge ? .merge : .whole
    case .end, .name: .whole
    }
  }

  /// Whether it also applies to mutations that are emitted at once.
  var concernsMutations: Bool { if case .map = self { true } else { false } }
}

/// Properties of an effect that it keeps when changes are added around it.
struct EffectTraits: Sendable {
  /// Its name; see ``MutationStream/named(_:)``.
  var name: String?
  /// The priority of its task, if it is not the turn's; see ``MutationStream/priority(_:)``.
  var priority: TaskPriority?
  /// Whether a drain does not wait for it; see ``MutationStream/cancelledByDrain()``.
  var isCancelledByDrain = false

  init() {}

  /// A drain cancels a stream with parts if it cancels each effect among them, and there is one.
  init(ofParts parts: [EffectPart]) {
    let effects = parts.lazy.filter(\.isEffect)
    isCancelledByDrain = !effects.isEmpty && effects.allSatisfy(\.traits.isCancelledByDrain)
  }
}
