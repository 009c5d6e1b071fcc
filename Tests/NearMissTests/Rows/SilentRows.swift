/// What compiles and is passed over: `docs/decisions/0014-near-misses.md` lists each, and why.
///
/// Should one of these fail some day, it is an error by then, and the decision can drop it. Under
/// the name that insists they are errors; those rows are with the others.
extension Row {
  /// A reactor whose mutations are its actions, so that `mutate` may be left out.
  static func echo(_ mutate: String, _ conformances: String = "Reactor") -> String {
    Shop.with {
      $0.conformances = conformances
      $0.types = "enum Action { case a }; struct State {}; typealias Mutation = Action"
      $0.mutate = mutate
    }
  }

  /// A call without `await` and `try` means the default, with any other member beside it.
  private static let mutatesByDefault =
    "let _: (isolated Shop, Shop.Action) -> MutationStream<Shop.Action> = { $0.mutate(action: $1) }"

  private static func part(_ mutate: String) -> String {
    "struct Shop: ReactorPart { enum Action { case a }; struct State {}\n"
      + "func reduce(state: inout State, mutation: Action) {}\n\(mutate) }"
  }

  private static let partMutatesByDefault =
    "let _: (Shop, Shop.Action, Shop.State) -> MutationStream<Shop.Action> = "
    + "{ $0.mutate(action: $1, state: $2) }"

  static let silent: [Row] = [
    .silent(
      "lane(_:)", Shop.and("func lane(_ action: Action) -> Lane? { nil }"),
      "hasNoLanes(Shop.self)"),
    .silent(
      "lane(of:)", Shop.and("func lane(of action: Action) -> Lane? { nil }"),
      "hasNoLanes(Shop.self)"),
    .silent(
      "static func lane(for:)", Shop.and("static func lane(for action: Action) -> Lane? { nil }"),
      "hasNoLanes(Shop.self)"),
    .silent(
      "lane(for: Action) -> String",
      Shop.and("func lane(for action: Action) -> String { \"\" }"), "hasNoLanes(Shop.self)"),
    .silent(
      "transform(actions:)",
      Shop.and("func transform(actions: Actions) -> some AsyncSequence<Action, Never> { actions }"),
      "hooksNothing(Shop.self)"),
    .silent(
      "transform(action: some AsyncSequence)",
      Shop.and(
        "func transform(action: some AsyncSequence<Action, Never>) -> "
          + "some AsyncSequence<Action, Never> { action }"), "hooksNothing(Shop.self)"),
    .silent(
      "mutate(_:)", echo("func mutate(_ action: Action) -> MutationStream<Action> { .empty }"),
      mutatesByDefault),
    .silent(
      "mutate(action:) async",
      echo("func mutate(action: Action) async -> MutationStream<Action> { .empty }"),
      mutatesByDefault),
    .silent(
      "mutate(action:) throws",
      echo("func mutate(action: Action) throws -> MutationStream<Action> { .empty }"),
      // Called by its name it would be this one; the protocol's is the default.
      "let _: (isolated Shop, Shop.Action) throws -> MutationStream<Shop.Action> = "
        + "{ try $0.mutate(action: $1) }"),
    .silent(
      "report(_:) async", Shop.and("nonisolated func report(_ report: ReactorReport) async {}"),
      "let _: (Shop, ReactorReport) -> Void = { $0.report($1) }"),
    .silent("recover()", journaledShop("func recover() {}"), ""),
    .silent("recovered() async", journaledShop("func recovered() async {}"), ""),
    .silent(
      "isTransient(mutation:)",
      journaledShop("static func isTransient(mutation: Int) -> Bool { true }"), ""),
    .silent(
      "func isTransient(_:)", journaledShop("func isTransient(_ mutation: Int) -> Bool { true }"),
      ""),
    .silent(
      "mutate(_:state:)",
      part("func mutate(_ action: Action, state: State) -> MutationStream<Action> { .empty }"),
      partMutatesByDefault),
    .silent(
      "mutate(action:state:) async",
      part(
        "func mutate(action: Action, state: State) async -> MutationStream<Action> { .empty }"),
      partMutatesByDefault),
  ]
}
