package import Reactor
import ReactorRuntime

/// Finds functions of a reactor that resemble a requirement of ``Reactor`` but do not implement it.
///
/// The compiler cannot report them: `lane(_:)`, for example, is a valid function of the author's
/// own.
///
/// A test that creates or drives a reactor fails for them. They are searched in debug builds, once
/// for each type, among the symbols of the type: `lane(for:)`, the hooks, `mutate(action:)` and
/// `report(_:)`, and for a journaled reactor `recovered()` and `isTransient(_:)`. Only certain near
/// misses are reported: a function whose parameter is the reactor's action or mutation or the input
/// of a hook, or a function named like `recovered()`, and only if the requirement itself is not
/// implemented. Nothing is found if there are no symbols, or in a type that is `private`, whose
/// symbols cannot be distinguished from those of another type.
package enum NearMisses {
  /// The results for the types that have been checked.
  private static let known = Guarded<[ObjectIdentifier: String?]>([:])

  /// Fails a test of a type with a near miss; in a simulation, once for each type.
  package static func fail(_ type: any Reactor.Type, at place: TestPlace) {
    let simulation = SimulatedExecutor.current as? SimulationExecutor
    if let simulation, !simulation.isNew(type) { return }
    if let problem = known(in: type) { place.fail(problem) }
  }

  /// The problem of a type, in one line; searched at the first call.
  static func known(in type: any Reactor.Type) -> String? {
    let id = ObjectIdentifier(type)
    if let known = known.withLock({ $0[id] }) { return known }
    let problem = found(in: type)
    known.withLock { $0[id] = .some(problem) }
    return problem
  }

  /// The problem of a type, in one line.
  ///
  /// A protocol of the program may implement the requirement for all types that conform to it.
  /// Which types conform is not known, so a similar function is not reported then.
  package static func found<R: Reactor>(
    in type: R.Type, supposingNoProtocolHasIt: Bool = false
  ) -> String? {
    #if DEBUG && os(Linux)
      guard let mangled = _mangledTypeName(type), !mangled.contains("$"),
        let symbols = ImageSymbols.of(type)
      else { return nil }
      // The functions of a generic type are mangled with the type without its arguments.
      let end = mangled.hasSuffix("G") ? mangled.firstRange(of: "Cy")?.lowerBound : nil
      let prefix = "$s" + (end.map { mangled[...$0] } ?? mangled[...])
      guard let owner = ImageSymbols.readable(String(prefix)) else { return nil }
      let functions = symbols.names(withPrefix: String(prefix))
        .compactMap { ImageSymbols.readable($0) }
        .compactMap { NamedFunction($0, of: owner) }
      return found(in: type, functions) { member in
        !supposingNoProtocolHasIt
          && symbols.hasName { name in
            // The library's own implementations are the defaults.
            !name.hasPrefix("$s7Reactor") && !name.hasPrefix("$s14ReactorJournal")
              && name.contains("E\(member)")
          }
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
        case "lane" where takesAction && R.LaneResult.self == _NoLane.self:
          guard function.label == "for" || function.returns("Reactor.Lane") else { continue }
          return text(
            type, function, "lane(for:)",
            "name LanedReactor and write 'func lane(for action: Action) -> Lane?'")
        case "transform":
          // The hook itself if it returns its input: then its sequence has the input's type.
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
        case "recover" where R.isJournaled, "recovered" where R.isJournaled:
          guard isLikeRecovered(function, in: type),
            !functions.contains(where: \.isRecovered), !hasInProtocol("9recovered")
          else { continue }
          return text(
            type, function, "recovered()", of: "JournaledReactor", "write 'func recovered()'")
        case "isTransient" where R.isJournaled:
          let mutation = _mangledTypeName(R.Mutation.self)
            .flatMap { ImageSymbols.readable("$s" + $0) }
          guard mutation.map({ function.takes($0, arguments: arguments) }) == true,
            function.returns("Swift.Bool"), !functions.contains(where: \.isTransience),
            !hasInProtocol("11isTransient")
          else { continue }
          return text(
            type, function, "isTransient(_:)", of: "JournaledReactor",
            "write 'static func isTransient(_ mutation: Mutation) -> Bool'")
        default: continue
        }
      }
      return nil
    }

    /// Whether a function can only be meant as `recovered()`: a function that is private, or takes
    /// something else, is a helper.
    private static func isLikeRecovered<R: Reactor>(
      _ function: NamedFunction, in type: R.Type
    ) -> Bool {
      guard !function.isPrivate, !function.isStatic, function.returns("()") else { return false }
      if function.takes.isEmpty { return true }
      let state = _mangledTypeName(R.State.self).flatMap { ImageSymbols.readable("$s" + $0) }
      return function.name == "recovered"
        && state.map(NamedFunction.withoutArguments) == function.takes
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
      _ type: R.Type, _ function: NamedFunction, _ member: String,
      of owner: String = "Reactor", _ advice: String
    ) -> String {
      "\(type): '\(function.signature)' is not the \(member) of \(owner), and nothing calls it; "
        + "\(advice), or give it another name"
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

  fileprivate var isRecovered: Bool {
    name == "recovered" && takes.isEmpty && effects.isEmpty && !isStatic
  }

  fileprivate var isTransience: Bool {
    name == "isTransient" && label.isEmpty && effects.isEmpty && isStatic
  }

  fileprivate var isReport: Bool {
    name == "report" && label.isEmpty && effects.isEmpty && !isStatic
  }
}
