import Testing

/// One spelling: a source text, and what has to become of it.
///
/// In the text, `Shop` stands for a name of the row's own; ``Compilation/prelude`` says what else
/// there is.
struct Row: Sendable, CustomTestStringConvertible {
  enum Expectation: Sendable {
    /// It compiles, and these lines, which see what the compiler made of it, do too.
    case works(String)
    /// It does not, and the compiler says each of these.
    case fails([String])
    /// The same, but only once the compiler looks at what becomes of each value.
    case failsLater([String])
    /// It compiles and does nothing, which these lines show; the decision says why.
    case silent(String)
  }

  let name: String
  let source: String
  let expectation: Expectation

  var testDescription: String { name }

  static func works(_ name: String, _ source: String, _ claims: String = "") -> Row {
    Row(name: name, source: source, expectation: .works(claims))
  }

  static func fails(_ name: String, _ source: String, says texts: String...) -> Row {
    Row(name: name, source: source, expectation: .fails(texts))
  }

  static func failsLater(_ name: String, _ source: String, says texts: String...) -> Row {
    Row(name: name, source: source, expectation: .failsLater(texts))
  }

  /// A spelling that is passed over; its name is how the decision lists it.
  static func silent(_ name: String, _ source: String, _ claims: String) -> Row {
    Row(name: name, source: source, expectation: .silent(claims))
  }

  /// What sees what the compiler made of it.
  var claims: String {
    switch expectation {
    case .works(let claims), .silent(let claims): claims
    case .fails, .failsLater: ""
    }
  }

  var isSilent: Bool {
    if case .silent = expectation { true } else { false }
  }

  /// Whether the compiler's first look at types is enough.
  var failsAtOnce: Bool {
    if case .fails = expectation { true } else { false }
  }
}

/// A whole reactor of which a row says only what it is about.
struct Shop {
  var kind = "actor Shop"
  var conformances = "Reactor"
  var types = "enum Action { case a }; enum Mutation { case m }; struct State {}"
  var initialState = "let initialState = State()"
  var pipeline = "let pipeline = Pipeline()"
  var mutate = "func mutate(action: Action) -> MutationStream<Mutation> { .empty }"
  var reduce = "func reduce(state: inout State, mutation: Mutation) {}"
  var more = ""
  var beside = ""

  var source: String {
    """
    \(kind): \(conformances) {
      \(types)
      \(initialState)
      \(pipeline)
      \(mutate)
      \(reduce)
      \(more)
    }
    \(beside)
    """
  }

  /// With these parts in place of the usual ones.
  static func with(_ change: (inout Shop) -> Void) -> String {
    var shop = Shop()
    change(&shop)
    return shop.source
  }

  /// With these members more.
  static func and(_ more: String, _ conformances: String = "Reactor") -> String {
    with {
      $0.conformances = conformances
      $0.more = more
    }
  }

  /// Under a base protocol that says what its action and its mutation are.
  static func enveloped(_ more: String, _ names: String = "Enveloped") -> String {
    with {
      $0.conformances = names
      $0.types = "enum Command { case a }; enum Change { case m }; struct State {}"
      $0.more = more
    }
  }
}
