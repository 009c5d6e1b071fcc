/// `mutate(action:)`.
extension Row {
  private static func mutating(_ mutate: String) -> String { Shop.with { $0.mutate = mutate } }

  static let mutating: [Row] = [
    .works(
      "mutate left out, where a mutation is an action",
      Shop.with {
        $0.types = "enum Action { case a }; struct State {}"
        $0.mutate = ""
      }),
    .works(
      "mutate in an extension",
      mutating("")
        + "extension Shop { func mutate(action: Action) -> MutationStream<Mutation> { .empty } }"),
    .works(
      "mutate under a base that says what an action is", Shop.enveloped("")),
    .works(
      "mutate that the base has for all",
      "protocol ShopBase: Reactor {}\nextension ShopBase { "
        + "func mutate(action: Action) -> MutationStream<Mutation> { .empty } }\n"
        + Shop.with {
          $0.conformances = "ShopBase"
          $0.mutate = ""
        }),
    .works(
      "mutate that the base has for all, where a mutation is an action",
      "protocol ShopBase: Reactor where Mutation == Action {}\nextension ShopBase { "
        + "func mutate(action: Action) -> MutationStream<Action> { .empty } }\n"
        + Shop.with {
          $0.conformances = "ShopBase"
          $0.types = "enum Action { case a }; struct State {}"
          $0.mutate = ""
        }),
    .works(
      "helpers of mutate's name, where mutate is left out",
      Shop.with {
        $0.types = "enum Action { case a }; struct State {}"
        $0.mutate =
          "func mutate(_ text: String) -> Int { 1 }; func mutate(action: String) -> Int { 1 }"
      }),
    .fails(
      "mutate left out", mutating(""),
      says: "protocol requires function 'mutate(action:)' with type '(Shop.Action) -> "
        + "MutationStream<Self.Mutation>'"),
    .fails(
      "async mutate",
      mutating("func mutate(action: Action) async -> MutationStream<Mutation> { .empty }"),
      says: "candidate is 'async', but protocol requirement is not"),
    .fails(
      "throwing mutate",
      mutating("func mutate(action: Action) throws -> MutationStream<Mutation> { .empty }"),
      says: "candidate throws, but protocol does not allow it"),
    .fails(
      "mutate without its label",
      mutating("func mutate(_ action: Action) -> MutationStream<Mutation> { .empty }"),
      says: "protocol requires function 'mutate(action:)' with type"),
    .fails(
      "mutate that returns one mutation",
      mutating("func mutate(action: Action) -> Mutation { .m }"),
      says: "MutationStream<Self.Mutation>'", "candidate has non-matching type"),
    .fails(
      "mutate that returns a sequence",
      mutating(
        "func mutate(action: Action) -> AsyncStream<Mutation> { AsyncStream { $0.finish() } }"),
      says: "MutationStream<Self.Mutation>'", "candidate has non-matching type"),
    .fails(
      "async mutate, under a base that says what an action is",
      Shop.enveloped("").replacing(
        "func mutate(action: Action)", with: "func mutate(action: Action) async"),
      says: "candidate is 'async', but protocol requirement is not"),
    .fails(
      "nonisolated async mutate",
      mutating(
        "nonisolated func mutate(action: Action) async -> MutationStream<Mutation> { .empty }"),
      says: "candidate is 'async', but protocol requirement is not"),
  ]

  private static let line =
    "write 'func mutate(action: Action) -> MutationStream<Mutation>', exactly so"

  static let namedMutating: [Row] = [
    .works(
      "named mutate, where a mutation is an action",
      echo(
        "func mutate(action: Action) -> MutationStream<Mutation> { .empty }", "ActionMutating")),
    .works(
      "named mutate, where nothing else says what a mutation is",
      Shop.with {
        $0.conformances = "ActionMutating"
        $0.types = "enum Action { case a }; struct State {}"
      }),
    .works("named mutate, where a mutation is none", Shop.and("", "ActionMutating")),
    .works(
      "named mutate that the base has for all",
      "protocol ShopBase: ActionMutating where Mutation == Action {}\nextension ShopBase { "
        + "func mutate(action: Action) -> MutationStream<Action> { .empty } }\n"
        + echo("", "ShopBase")),
    .fails("named mutate, and not written", echo("", "ActionMutating"), says: line),
    .fails(
      "named mutate, async",
      echo(
        "func mutate(action: Action) async -> MutationStream<Mutation> { .empty }",
        "ActionMutating"), says: line),
    .fails(
      "named mutate, throwing",
      echo(
        "func mutate(action: Action) throws -> MutationStream<Mutation> { .empty }",
        "ActionMutating"), says: line),
    .fails(
      "named mutate, without its label",
      echo(
        "func mutate(_ action: Action) -> MutationStream<Mutation> { .empty }", "ActionMutating"),
      says: line),

    .works(
      "mutate of a part, left out where a mutation is an action",
      "struct Shop: ReactorPart { enum Action { case a }; struct State {}\n"
        + "func reduce(state: inout State, mutation: Action) {} }"),
    .fails(
      "async mutate of a part whose mutation is no action",
      "struct Shop: ReactorPart { enum Action { case a }; enum Mutation { case m }\n"
        + "struct State {}; func reduce(state: inout State, mutation: Mutation) {}\n"
        + "func mutate(action: Action, state: State) async -> MutationStream<Mutation> "
        + "{ .empty } }",
      says: "candidate is 'async', but protocol requirement is not"),
  ]
}
