import ReactorRuntime

/// What a stream is made of, where it is made of other streams.
///
/// A program may nest them as deeply as it likes, so nothing here walks a tree by recursion, and
/// none is released by it.
///
/// A tree knows no type of mutations: what changes the mutations of a part changes the emitter that
/// the part is given. So streams of several types are in one tree.
@usableFromInline
final class EffectTree: Sendable {
  enum Content: Sendable {
    /// One after another, or at the same time; see ``EffectTree/shape``.
    case parts([EffectPart])
    case changed(EffectPart, EffectChange)
  }

  /// What the parts of a tree are, to all that looks at it from outside.
  enum Shape: Sendable {
    /// One effect, which has no parts.
    case whole
    case concat
    case merge
  }

  let shape: Shape
  let traits: EffectTraits
  /// Whether it does not emit all of it at once.
  @usableFromInline let isEffect: Bool
  private let nested: Nested<Content>

  var content: Content { nested.value }

  /// Whether it is no effect like most: several, or one whose beginning depends on its traits.
  @usableFromInline var isBegunApart: Bool {
    shape == .merge || traits.priority != nil || traits.isCancelledByDrain
  }

  /// Parts one after another, or at the same time.
  init(_ parts: [EffectPart], _ shape: Shape) {
    nested = Nested(.parts(parts))
    self.shape = shape
    isEffect = shape == .merge || parts.contains(where: \.isEffect)
    traits = EffectTraits(ofParts: parts)
  }

  /// A part with something around it, or around each of its own parts.
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

  /// Whether it does not emit all of it at once.
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
  func isIsolated(to actor: any Actor) -> Bool
  func run(into emit: any AnyEmitter, isolation: isolated (any Actor)?) async throws
}

/// What is put around a part.
enum EffectChange: Sendable {
  /// Makes the emitter of the part of the whole's.
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

  /// Whether it concerns mutations that are emitted at once, too.
  var concernsMutations: Bool { if case .map = self { true } else { false } }
}

/// What an effect is told apart by, and what stays with it whatever is put around it.
struct EffectTraits: Sendable {
  /// What it is called; see ``MutationStream/named(_:)``.
  var name: String?
  /// What its task is to have, if not the turn's; see ``MutationStream/priority(_:)``.
  var priority: TaskPriority?
  /// Whether a drain does not wait for it; see ``MutationStream/cancelledByDrain()``.
  var isCancelledByDrain = false

  init() {}

  /// A drain cancels what is made of parts if it cancels each effect among them, and there is one.
  init(ofParts parts: [EffectPart]) {
    let effects = parts.lazy.filter(\.isEffect)
    isCancelledByDrain = !effects.isEmpty && effects.allSatisfy(\.traits.isCancelledByDrain)
  }
}
