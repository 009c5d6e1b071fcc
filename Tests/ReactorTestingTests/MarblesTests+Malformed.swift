import ReactorTesting
import Testing

/// Diagrams that cannot be read.
extension MarblesTests {
  @Test(arguments: [
    ("-x-|", "0", #"actions "-x-|", character 2: nothing is called 'x'; there is 'a', 'b', 'l'"#),
    (
      "-[ab", "0",
      #"actions "-[ab", character 2: this [ is never closed; put a ] after what belongs in it"#
    ),
    ("-a]", "0", #"actions "-a]", character 3: this ] closes nothing; put a [ before it"#),
    ("[a[b]]", "0", #"actions "[a[b]]", character 3: brackets do not nest; remove this ["#),
    ("-[]", "0", #"actions "-[]", character 3: there is nothing in the brackets; write - instead"#),
    ("[a-b]", "0", #"actions "[a-b]", character 3: no time passes in brackets; remove this -"#),
    (
      "a|-", "0",
      #"actions "a|-", character 3: nothing comes after the end; take '-' away, or the | before it"#
    ),
    (
      "[|a]", "0",
      #"actions "[|a]", character 3: nothing comes after the end; take 'a' away, or the | "#
        + #"before it"#
    ),
    (
      "-a", "0?",
      #"states "0?", character 2: '?' marks a value without a character; show it "#
        + #"as another"#
    ),
    (
      "-a", " 0 [1",
      #"states " 0 [1", character 4: this [ is never closed; put a ] after what belongs in it"#
    ),
  ])
  func `an error has its place and the remedy`(actions: String, states: String, text: String)
    async throws
  {
    try await failure(text) { try await $0.run(actions, states) }
  }

  @Test func `characters that have no meaning, or another one`() async throws {
    try await failure(#"states "oy", character 2: nothing is called 'y'; there is 'o', 'x'"#) {
      try await $0.runNamed("-a", "oy")
    }
    try await failure(#"states "o", character 1: nothing is called 'o'; there is nothing"#) {
      try await $0.runNamed("-a", "o", [:])
    }
    try await failure("states: '-' means something in every diagram; choose another character") {
      try await $0.runNamed("-a", "o", ["o": 0, "-": 1])
    }
  }
}
