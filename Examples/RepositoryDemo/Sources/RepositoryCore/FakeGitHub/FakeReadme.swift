/// READMEs with all features of Markdown, sometimes including content that a page must not run.
enum FakeReadme {
  static func text(of one: Repository) -> String? {
    var dice = Dice(seed: one.id.description.utf8.reduce(7) { $0 &* 31 &+ UInt64($1) })
    if dice.next() % 20 == 0 { return nil }
    let hostile =
      dice.next() % 3 == 0
      ? """

      <script>document.title = "owned"</script>
      <img src=x onerror="document.title='owned'">

      [A link that is none](javascript:alert(1))

      """ : ""
    return """
      # \(one.id.name)

      \(one.summary ?? "A repository without many words.")
      \(hostile)
      ## Installing

      Add it to your manifest:

      ```swift
      .package(
        url: "https://example.com/\(one.id)",
        from: "\(1 + dice.next() % 4).\(dice.next() % 9).0")
      ```

      ## What it can do

      | Feature | State |
      |---|---|
      | Streams of any length | works |
      | Cancelling half-way | works |
      | Time travel | *planned* |

      - [x] Documented
      - [x] Tested on two cores
      - [ ] Finished, ~~ever~~ one day

      > It took an afternoon to understand, and I liked it. — somebody

      1. Read `Sources/` from the top.
      2. Change one thing.
      3. Run the tests.

      ## Licence

      \(one.license ?? "None yet; ask.")
      """
  }
}
