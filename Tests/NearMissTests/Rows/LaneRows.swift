/// `lane(for:)`.
extension Row {
  private static let lane = "func lane(for action: Action) -> Lane? { nil }"
  private static let written = "hasLanes(Shop.self)"

  static let lanes: [Row] = [
    .works("no lane", Shop.and(""), "hasNoLanes(Shop.self); hooksNothing(Shop.self)"),
    .works("lane", Shop.and(lane), written),
    .works(
      "lane that is always there", Shop.and("func lane(for action: Action) -> Lane { .latest(1) }"),
      "hasPlainLanes(Shop.self)"),
    .works("lane under a plain base", Shop.and(lane, "Plain"), written),
    .works("lane under a base that says what an action is", Shop.enveloped(lane), written),
    .works(
      "lane that is always there, under such a base",
      Shop.enveloped("func lane(for action: Action) -> Lane { .latest(1) }"),
      "hasPlainLanes(Shop.self)"),
    .works(
      "lane that writes out its action, under such a base",
      Shop.enveloped(
        "typealias Action = Envelope<Command>; typealias Mutation = Traced<Change>\n"
          + "func lane(for action: Envelope<Command>) -> Lane? { nil }"), written),
    .works(
      "lane in an extension, under such a base",
      Shop.enveloped("") + "extension Shop { \(lane) }", written),
    .works(
      "lane of a generic reactor, under such a base",
      Shop.enveloped(lane).replacing("actor Shop", with: "actor Shop<T: Sendable>"),
      "hasLanes(Shop<Int>.self)"),
    .works(
      "lane that the base has for all",
      "protocol ShopBase: LanedReactor {}\nextension ShopBase { \(lane) }\n"
        + Shop.and("", "ShopBase"), written),
    .works("lane of a named laned reactor", Shop.and(lane, "LanedReactor"), written),
    .works(
      "lane of a named laned reactor, under such a base",
      Shop.enveloped(lane, "Enveloped, LanedReactor"), written),
    .works(
      "a helper of the lane's name, with another label",
      Shop.and("func lane(of room: Room) -> Lane { .latest(1) }"), "hasNoLanes(Shop.self)"),
    .works(
      "a helper of the lane's name that has nothing to do with lanes",
      Shop.and("func lane(for room: Room) -> String { \"\" }"), "hasNoLanes(Shop.self)"),

    .fails(
      "lane for something else", Shop.and("func lane(for room: Room) -> Lane { .latest(1) }"),
      says: "protocol requires function 'lane(for:)' with type '(Shop.Action) ->",
      "candidate has non-matching type '(Room) -> Lane'"),
    .fails(
      "lane for two things, with two results",
      Shop.and(lane + "\nfunc lane(for room: Room) -> Lane { .latest(1) }"),
      says: "ambiguous inference of associated type", "'Lane?' vs. 'Lane'"),
    .fails(
      "async lane", Shop.and("func lane(for action: Action) async -> Lane? { nil }"),
      says: "'Self.LaneResult' == 'Self._LaneMustNotBeAsyncOrThrow'"),
    .fails(
      "throwing lane", Shop.and("func lane(for action: Action) throws -> Lane? { nil }"),
      says: "'Self.LaneResult' == 'Self._LaneMustNotBeAsyncOrThrow'"),
    .fails(
      "async lane, under a base that says what an action is",
      Shop.enveloped("func lane(for action: Action) async -> Lane? { nil }"),
      says: "'Self.LaneResult' == 'Self._LaneMustNotBeAsyncOrThrow'"),
    .fails(
      "named, and not written", Shop.and("", "LanedReactor"),
      says: "protocol requires function 'lane(for:)' with type '(Shop.Action) -> Lane?'"),
    .fails(
      "named, and async",
      Shop.and("func lane(for action: Action) async -> Lane? { nil }", "LanedReactor"),
      says: "candidate is 'async', but protocol requirement is not"),
    .fails(
      "named, without the label",
      Shop.and("func lane(_ action: Action) -> Lane? { nil }", "LanedReactor"),
      says: "protocol requires function 'lane(for:)' with type '(Shop.Action) -> Lane?'"),
    .fails(
      "named, with another label",
      Shop.enveloped("func lane(action: Action) -> Lane? { nil }", "Enveloped, LanedReactor"),
      says: "protocol requires function 'lane(for:)' with type"),
    .fails(
      "named, and not optional",
      Shop.and("func lane(for action: Action) -> Lane { .latest(1) }", "LanedReactor"),
      says: "candidate has non-matching type '(Shop.Action) -> Lane'"),
    .fails(
      "named, and static",
      Shop.and("static func lane(for action: Action) -> Lane? { nil }", "LanedReactor"),
      says: "protocol requires function 'lane(for:)' with type"),
  ]
}
