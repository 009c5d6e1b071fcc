/// Functions of a reactor that look like a member of ``Reactor`` and are none, which the compiler
/// cannot know: `lane(_:)`, say, is a function of the author's own.
///
/// Looked for in debug builds, once per type, among the symbols of the type itself. What is no near
/// miss for certain is left alone: only a function whose parameter is the reactor's action, or the
/// input of a hook, counts, and only where the member itself is not there. Nothing is found where
/// there are no symbols, and of a type that is `private`, whose symbols cannot be told from
/// another's.
@usableFromInline
package enum NearMisses {
  /// The types that have been looked at.
  private static let seen = Guarded<Set<ObjectIdentifier>>([])

  /// Refuses a type with a near miss, the first time that one of it begins.
  @usableFromInline
  static func refuse<R: Reactor>(in type: R.Type) {
    guard seen.withLock({ $0.insert(ObjectIdentifier(type)).inserted }) else { return }
    if let problem = found(in: type) { preconditionFailure(problem) }
  }

  /// What is wrong with a type, in one line, for a test, which fails for it; then it is not
  /// refused.
  package static func foundByTest<R: Reactor>(in type: R.Type) -> String? {
    seen.withLock { _ = $0.insert(ObjectIdentifier(type)) }
    return found(in: type)
  }

  /// What is wrong with a type, in one line.
  ///
  /// A protocol of the program's may have the member for all who conform; which do cannot be told,
  /// so then a helper beside it is left alone.
  package static func found<R: Reactor>(
    in type: R.Type, supposingNoProtocolHasIt: Bool = false
  ) -> String? {
    #if DEBUG && os(Linux)
      guard let mangled = _mangledTypeName(type), !mangled.contains("$"),
        let symbols = ImageSymbols.of(type)
      else { return nil }
      // Of a generic type the functions are known by the type without its arguments.
      let end = mangled.hasSuffix("G") ? mangled.firstRange(of: "Cy")?.lowerBound : nil
      let prefix = "$s" + (end.map { mangled[...$0] } ?? mangled[...])
      guard let owner = ImageSymbols.readable(String(prefix)) else { return nil }
      let functions = symbols.names(withPrefix: String(prefix))
        .compactMap { ImageSymbols.readable($0) }
        .compactMap { NamedFunction($0, of: owner) }
      return found(in: type, functions) { member in
        !supposingNoProtocolHasIt
          && symbols.hasName { !$0.hasPrefix("$s7Reactor") && $0.contains("E\(member)") }
      }
    #else
      return nil
    #endif
  }

  #if DEBUG && os(Linux)
    private static func found<R: Reactor>(
      in type: R.Type, _ functions: [NamedFunction], hasInProtocol: (String) -> Bool
    ) -> String? {
      let action = _mangledTypeName(R.Action.self).flatMap { ImageSymbols.readable("$s" + $0) }
      let arguments =
        _mangledTypeName(type).flatMap { ImageSymbols.readable("$s" + $0) }
        .map(NamedFunction.arguments) ?? []
      for function in functions {
        let takesAction = action.map { function.takes($0, arguments: arguments) } ?? false
        switch function.name {
        case "lane" where takesAction && R.Choice.self == NoLane.self:
          guard function.label == "for" || function.returns("Reactor.Lane") else { continue }
          return text(
            type, function, "lane(for:)",
            "name LanedReactor and write 'func lane(for action: Action) -> Lane?'")
        case "transform":
          // The hook itself, which hands on what it is given: its sequence is the input's.
          guard !function.isHook, let (member, name) = hook(type, function) else { continue }
          return text(type, function, member, "name \(name), and the compiler says how to write it")
        case "mutate" where takesAction && R.Mutation.self == R.Action.self:
          guard function.returns("Reactor.MutationStream"), !functions.contains(where: \.isMutate),
            function.label == "action" || !hasInProtocol("6mutate6action")
          else { continue }
          return text(
            type, function, "mutate(action:)",
            "name ActionMutating and write "
              + "'func mutate(action: Action) -> MutationStream<Mutation>'")
        case "report" where function.takes == "Reactor.ReactorReport":
          guard !functions.contains(where: \.isReport), !hasInProtocol("6reportyy") else {
            continue
          }
          return text(
            type, function, "report(_:)",
            "write 'nonisolated func report(_ report: ReactorReport)'")
        default: continue
        }
      }
      return nil
    }

    /// The hook that a function is a near miss of.
    private static func hook<R: Reactor>(
      _ type: R.Type, _ function: NamedFunction
    ) -> (member: String, name: String)? {
      func isNear(_ label: String, _ input: String) -> Bool {
        function.takes == "Reactor.\(input)" || function.label == label && function.takesAnySequence
      }
      if R.ActionSequence.self == ReactorActions<R>.self, isNear("action", "ReactorActions") {
        return ("transform(action:)", "ActionTransforming")
      }
      if R.MutationSequence.self == ReactorMutations<R>.self,
        isNear("mutation", "ReactorMutations")
      {
        return ("transform(mutation:)", "MutationTransforming")
      }
      if R.StateSequence.self == ReactorStates<R>.self, isNear("state", "ReactorStates") {
        return ("transform(state:)", "StateTransforming")
      }
      return nil
    }

    private static func text<R: Reactor>(
      _ type: R.Type, _ function: NamedFunction, _ member: String, _ cure: String
    ) -> String {
      "\(type): '\(function.signature)' is not the \(member) of Reactor, and nothing calls it; "
        + "\(cure), or give it another name"
    }
  #endif
}

extension NamedFunction {
  fileprivate var isHook: Bool {
    let inputs = [
      "action": "ReactorActions", "mutation": "ReactorMutations", "state": "ReactorStates",
    ]
    guard let input = inputs[label] else { return false }
    return effects.isEmpty && !isStatic && takes == "Reactor.\(input)"
  }

  fileprivate var isMutate: Bool {
    name == "mutate" && label == "action" && effects.isEmpty && !isStatic
  }

  fileprivate var isReport: Bool {
    name == "report" && label.isEmpty && effects.isEmpty && !isStatic
  }
}
