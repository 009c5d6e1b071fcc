/// `transform(action:)`, `transform(mutation:)` and `transform(state:)`.
extension Row {
  private static let action = """
    func transform(action: Actions) -> some AsyncSequence<Action, Never> { action.map { $0 } }
    """
  private static let mutation = """
    func transform(mutation: Mutations) -> some AsyncSequence<Mutation, Never> {
      mutation.map { $0 }
    }
    """
  private static let state = """
    func transform(state: States) -> some AsyncSequence<State, Never> { state.map { $0 } }
    """
  private static let all = [action, mutation, state].joined(separator: "\n")
  private static let written =
    "hooksActions(Shop.self); hooksMutations(Shop.self); hooksStates(Shop.self)"
  private static let names = "ActionTransforming, MutationTransforming, StateTransforming"

  static let hooks: [Row] = [
    .works("hooks", Shop.and(all), written),
    .works("hooks under a plain base", Shop.and(all, "Plain"), written),
    .works("hooks under a base that says what an action is", Shop.enveloped(all), written),
    .works(
      "hooks in an extension, under such a base", Shop.enveloped("") + "extension Shop { \(all) }",
      written),
    .works(
      "hooks of a generic reactor, under such a base",
      Shop.enveloped(all).replacing("actor Shop", with: "actor Shop<T: Sendable>"),
      written.replacing("Shop", with: "Shop<Int>")),
    .works(
      "hook where a mutation is an action by default, and called Mutation",
      Shop.with {
        $0.types = "enum Action { case a }; struct State {}"
        $0.mutate = ""
        $0.more = mutation
      }, "hooksMutations(Shop.self)"),
    .works(
      "the same, beside a mutate that says what a mutation is",
      Shop.with {
        $0.types = "enum Action { case a }; struct State {}"
        $0.mutate = "func mutate(action: Action) -> MutationStream<Action> { .empty }"
        $0.more = mutation
      }, "hooksMutations(Shop.self)"),
    .fails(
      "the same, where nothing says what a mutation is",
      Shop.with {
        $0.conformances = "MutationTransforming"
        $0.types = "enum Action { case a }; struct State {}"
        $0.more = mutation
      },
      says: "write 'func transform(mutation: Mutations) -> some AsyncSequence<Mutation, Never>'"),
    .works(
      "hook that writes its types out",
      Shop.and(
        "func transform(mutation: ReactorMutations<Shop>) -> "
          + "AsyncMapSequence<ReactorMutations<Shop>,"
          + " Mutation> { mutation.map { $0 } }"), "hooksMutations(Shop.self)"),
    .works(
      "hook that the base has for all",
      "protocol ShopBase: Reactor {}\nextension ShopBase { \(mutation) }\n"
        + Shop.and("", "ShopBase"), "hooksMutations(Shop.self)"),
    .works(
      "a helper of the hook's name",
      Shop.and("func transform(text: String) -> String { text }"), "hooksNothing(Shop.self)"),

    .fails(
      "async hook",
      Shop.and(
        "func transform(action: Actions) async -> some AsyncSequence<Action, Never> { action }"),
      says: "'Self.ActionSequence' == 'Self._ActionHookMustNotBeAsyncOrThrow'"),
    .fails(
      "throwing hook, under a base that says what a mutation is",
      Shop.enveloped(
        "func transform(mutation: Mutations) throws -> some AsyncSequence<Mutation, Never> "
          + "{ mutation }"
      ), says: "'Self.MutationSequence' == 'Self._MutationHookMustNotBeAsyncOrThrow'"),
    .fails(
      "async hook of the states",
      Shop.and("func transform(state: States) async -> some AsyncSequence<State, Never> { state }"),
      says: "'Self.StateSequence' == 'Self._StateHookMustNotBeAsyncOrThrow'"),
    .fails(
      "hook of other elements",
      Shop.and(
        "func transform(mutation: Mutations) -> some AsyncSequence<Int, Never> { "
          + "mutation.map { _ in 1 } }"
      ), says: "'Reactor' requires the types 'Shop.Mutation' and 'Int' be equivalent"),
    .fails(
      "hook that fails",
      Shop.and(
        "func transform(action: Actions) -> some AsyncSequence<Action, any Error> "
          + "{ action.map { a throws in a } }"),
      says: "'Reactor' requires the types 'any Error' and 'Never' be equivalent"),
    .fails(
      "hook that is no sequence",
      Shop.and("func transform(action: Actions) -> [Action] { [] }"),
      says: "type '[Shop.Action]' does not conform to protocol 'AsyncSequence'"),
    .fails(
      "hook that may be none",
      Shop.and("func transform(state: States) -> States? { nil }"),
      says: "does not conform to protocol 'AsyncSequence'"),
  ]

  static let namedHooks: [Row] = [
    .works("named hooks", Shop.and(all, names), written),
    .works(
      "named hooks, under a base that says what an action is",
      Shop.enveloped(all, "Enveloped, " + names), written),
    .works(
      "one named hook, beside one that is not",
      Shop.and(action + "\n" + state, "ActionTransforming"),
      "hooksActions(Shop.self); hooksStates(Shop.self)"),
    .fails(
      "named hooks, and none written", Shop.and("", names),
      says: "write 'func transform(action: Actions) -> some AsyncSequence<Action, Never>'",
      "write 'func transform(mutation: Mutations) -> some AsyncSequence<Mutation, Never>'",
      "write 'func transform(state: States) -> some AsyncSequence<State, Never>'"),
    .fails(
      "named hook, with another label",
      Shop.and(
        "func transform(actions: Actions) -> some AsyncSequence<Action, Never> { actions }",
        "ActionTransforming"),
      says: "write 'func transform(action: Actions) -> some AsyncSequence<Action, Never>'"),
    .fails(
      "named hook, with another name, under such a base",
      Shop.enveloped(
        "func transforming(mutation: Mutations) -> some AsyncSequence<Mutation, Never> { "
          + "mutation }",
        "Enveloped, MutationTransforming"),
      says: "write 'func transform(mutation: Mutations) -> some AsyncSequence<Mutation, Never>'"),
    .fails(
      "named hook, of any sequence",
      Shop.and(
        "func transform(state: some AsyncSequence<State, Never>) -> some "
          + "AsyncSequence<State, Never> { state }", "StateTransforming"),
      says: "write 'func transform(state: States) -> some AsyncSequence<State, Never>'"),
    .fails(
      "named hook, async",
      Shop.and(
        "func transform(action: Actions) async -> some AsyncSequence<Action, Never> { action }",
        "ActionTransforming"),
      says: "write 'func transform(action: Actions) -> some AsyncSequence<Action, Never>'"),
  ]
}
