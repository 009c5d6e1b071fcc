/// `initialState`, `reduce`, `report`, `pipeline`.
extension Row {
  static let others: [Row] = [
    .works(
      "initial state from an initializer",
      Shop.with {
        $0.initialState = "let initialState: State; init(_ state: State) { initialState = state }"
      }),
    .works(
      "computed initial state",
      Shop.with { $0.initialState = "var initialState: State { State() }" }),
    .fails(
      "no initial state", Shop.with { $0.initialState = "" },
      says: "protocol requires property 'initialState' with type 'Self.State'"),
    .fails(
      "initial state that may be none",
      Shop.with { $0.initialState = "let initialState: State? = nil" },
      says: "candidate has non-matching type 'Shop.State?'"),
    .fails(
      "initial state of another name", Shop.with { $0.initialState = "let initial = State()" },
      says: "protocol requires property 'initialState' with type 'Self.State'"),

    .fails(
      "no reduce", Shop.with { $0.reduce = "" },
      says: "protocol requires function 'reduce(state:mutation:)' with type"),
    .fails(
      "async reduce",
      Shop.with { $0.reduce = "func reduce(state: inout State, mutation: Mutation) async {}" },
      says: "candidate is 'async', but protocol requirement is not"),
    .fails(
      "throwing reduce",
      Shop.with { $0.reduce = "func reduce(state: inout State, mutation: Mutation) throws {}" },
      says: "candidate throws, but protocol does not allow it"),
    .fails(
      "ReactorKit's reduce, which returns the state",
      Shop.with {
        $0.reduce = "func reduce(state: State, mutation: Mutation) -> State { state }"
      }, says: "protocol requires function 'reduce(state:mutation:)'", "(inout Shop.State"),

    .works("report", Shop.and("nonisolated func report(_ report: ReactorReport) {}")),
    .fails(
      "report on the reactor", Shop.and("func report(_ report: ReactorReport) {}"),
      says: "actor-isolated instance method 'report' cannot satisfy nonisolated requirement"),

    .works(
      "pipeline with a limit",
      Shop.with { $0.pipeline = "let pipeline = Pipeline(inboxLimit: 10)" }),
    .fails(
      "no pipeline", Shop.with { $0.pipeline = "" },
      says: "protocol requires property 'pipeline' with type 'ReactorPipeline<Self>'"),
    .fails(
      "variable pipeline", Shop.with { $0.pipeline = "var pipeline = Pipeline()" },
      says: "actor-isolated property 'pipeline' cannot"),
    .fails(
      "lazy pipeline", Shop.with { $0.pipeline = "lazy var pipeline = Pipeline()" },
      says: "actor-isolated property 'pipeline' cannot satisfy nonisolated requirement"),
    .fails(
      "another reactor's pipeline",
      Shop.with {
        $0.pipeline = "let pipeline: ReactorPipeline<ShopOther>"
        $0.beside = Shop().source.replacing("Shop", with: "ShopOther")
      }, says: "protocol requires property 'pipeline' with type 'ReactorPipeline<Self>'"),
    .failsLater(
      "pipeline of another instance",
      Shop.with {
        $0.pipeline = "let pipeline: Pipeline; init(_ other: Shop) { pipeline = other.pipeline }"
      },
      says: "noncopyable"),
    .failsLater(
      "pipeline handed to two",
      Shop.with {
        $0.pipeline =
          "let pipeline: Pipeline; init(_ pipeline: consuming Pipeline) { self.pipeline = "
          + "pipeline }"
        $0.beside =
          "func shopTwice() { let one = ReactorPipeline<Shop>(); _ = Shop(one); _ = Shop(one) }"
      }, says: "consumed more than once"),
  ]
}
