/// What a journaled reactor has twice: of the type, and of the reactor.
extension Row {
  static func journaledShop(_ more: String, _ beside: String = "") -> String {
    "import ReactorJournal\n"
      + Shop.with {
        $0.conformances = "Reactor, JournaledReactor"
        $0.types = "enum Action { case a }; typealias Mutation = Int; typealias State = [Int]"
        $0.initialState = "static let initialState: [Int] = []"
        $0.reduce = "static func reduce(state: inout [Int], mutation: Int) {}"
        $0.more = "static let journalName = \"shop\"; static let journalVersion = 1; \(more)"
        $0.beside = beside
      }
  }

  static let journaled: [Row] = [
    .works("journaled reactor", journaledShop("")),
    .fails(
      "reduce of a journaled reactor beside the static one",
      journaledShop("func reduce(state: inout [Int], mutation: Int) {}"),
      says: "type '()' does not conform to protocol '_ReduceMustBeStatic'"),
    .fails(
      "the same in an extension",
      journaledShop("", "extension Shop { func reduce(state: inout [Int], mutation: Int) {} }"),
      says: "type '()' does not conform to protocol '_ReduceMustBeStatic'"),
    .fails(
      "the same that the base has for all",
      journaledShop("").replacing("Reactor, Journaled", with: "ShopBase, Journaled")
        + "protocol ShopBase: Reactor where Mutation == Int, State == [Int] {}\n"
        + "extension ShopBase { func reduce(state: inout [Int], mutation: Int) {} }",
      says: "type '()' does not conform to protocol '_ReduceMustBeStatic'"),
    .fails(
      "first state of a journaled reactor beside the static one",
      journaledShop("nonisolated let initialState = [7]"),
      says: "does not conform to protocol '_InitialStateMustBeStatic'"),
  ]
}
