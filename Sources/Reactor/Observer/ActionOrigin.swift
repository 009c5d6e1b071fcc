/// Who sent an action, and when: what observers want to know, and the turn cannot.
///
/// It travels with the action as one of its carried values, the first one, and binds nothing.
///
/// `@unchecked`, as what it inherits from is: its fields are constants.
final class ActionOrigin: CarriedValue, @unchecked Sendable {
  let cause: ReactorCause?
  /// In ticks of ``WorkTime``; `nil` where nobody needs to know.
  let sent: Int64?
  /// How many observers, one told of what another one had sent, led to this action.
  let depth: Int

  /// That of an action that is sent here and now; of it, what is needed.
  init(_ needs: ObserverNeeds, before rest: CarriedValue?) {
    cause = needs.contains(.causes) ? ReactorCause.local : nil
    sent = needs.contains(.times) ? WorkTime.ticks : nil
    depth = needs.contains(.sends) ? ObserverDepth.current : 0
    super.init(of: .passingBy, rest)
  }

  private init(_ origin: ActionOrigin, _ rest: CarriedValue?) {
    (cause, sent, depth) = (origin.cause, origin.sent, origin.depth)
    super.init(of: .passingBy, rest)
  }

  override func followed(by rest: CarriedValue?) -> CarriedValue {
    ActionOrigin(self, self.rest?.followed(by: rest) ?? rest)
  }
}

extension CarriedKey {
  /// The key of something that binds nothing itself.
  static let passingBy = CarriedKey()
}

extension ActionContext {
  /// Who sent the action, where that was asked.
  var origin: ActionOrigin? { values as? ActionOrigin }

  /// The same for the action's work, which nobody asks.
  var withoutOrigin: ActionContext {
    guard let origin else { return self }
    return ActionContext(chain: chain, values: origin.rest)
  }

  /// Whether an observer sent the action for one that an observer had sent.
  @usableFromInline var isOfCircle: Bool { (origin?.depth ?? 0) > 1 }
}

/// Whether the caller is an observer that is being told.
enum ObserverDepth {
  @TaskLocal static var current = 0

  static let key = CarriedKey($current)
}
