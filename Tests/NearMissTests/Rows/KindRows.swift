/// What a reactor is: an actor, and nothing else.
extension Row {
  static let kinds: [Row] = [
    .works(
      "generic actor",
      Shop.with {
        $0.kind = "actor Shop<Item: Sendable>"
        $0.types =
          "enum Action { case a(Item) }; enum Mutation { case m(Item) }; struct State { var "
          + "items: [Item] = [] }"
      }),
    .works(
      "conformance in an extension",
      "actor Shop { let pipeline = ReactorPipeline<Shop>(); let initialState = 0 }\n"
        + "extension Shop: Reactor {\n"
        + "func mutate(action: Int) -> MutationStream<String> { .empty }\n"
        + "func reduce(state: inout Int, mutation: String) {}\n}"),
    .works(
      "any and some reactor, by action and state",
      Shop.and("", "Plain") + "func shopUse(_ one: some Reactor<Shop.Action, Shop.State>, "
        + "_ all: [any Reactor<Shop.Action, Shop.State>]) { func shopSend(_ r: some "
        + "Reactor<Shop.Action, Shop.State>) { r.send(.a) };  one.send(.a); for r in all { "
        + "shopSend(r) } }"
    ),
    .fails(
      "class", Shop.with { $0.kind = "final class Shop" },
      says: "non-actor type 'Shop' cannot conform to the 'Actor' protocol"),
    .fails(
      "main actor's class", Shop.with { $0.kind = "@MainActor final class Shop" },
      says: "non-actor type 'Shop' cannot conform to the 'Actor' protocol"),
    .fails(
      "struct", Shop.with { $0.kind = "struct Shop" },
      says: "non-class type 'Shop' cannot conform to class protocol 'Actor'"),
    .fails(
      "enum",
      Shop.with {
        $0.kind = "enum Shop"
        $0.initialState = "var initialState: State { State() }"
        $0.pipeline = ""
      },
      says: "non-class type 'Shop' cannot conform to class protocol 'Actor'"),
    .fails(
      "distributed actor", Shop.with { $0.kind = "import Distributed\ndistributed actor Shop" },
      says: "conformance of 'Shop' to protocol 'Reactor' crosses into actor-isolated code",
      "actor-isolated property 'pipeline' cannot satisfy nonisolated requirement"),
    .fails(
      "action that cannot be sent",
      Shop.with { $0.types = "class Action {}; enum Mutation { case m }; struct State {}" },
      says: "'Shop.Action' does not conform to the 'Sendable' protocol"),
    .works(
      "no action, which is a mutation then",
      Shop.with { $0.types = "enum Mutation { case m }; struct State {}" }),
    .fails(
      "a base with nothing said of what it wraps",
      Shop.enveloped("").replacing("enum Command { case a };", with: ""),
      says: "'Command'"),
  ]
}
