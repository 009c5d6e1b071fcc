/// Something that has happened somewhere, shown as a row.
package struct Announcement: Sendable, Hashable, Identifiable {
  package var id: Int
  package var text: String
  /// The number of repositories above it.
  package var place: Int

  package init(id: Int, text: String, place: Int = 0) {
    (self.id, self.text, self.place) = (id, text, place)
  }
}

/// Generates announcements; the same seed generates the same ones, with the same pauses.
package struct AnnouncementGenerator: Sendable {
  private var dice: Dice
  private var count = 0

  package init(seed: UInt64) { dice = Dice(seed: seed) }

  /// Returns the next announcement, and the pause before it, in multiples of the average.
  package mutating func next() -> (pauses: Double, announcement: Announcement) {
    count += 1
    let pauses = Double.random(in: 0.5...1.5, using: &dice)
    let text = "\(dice.one(of: Self.subjects)) \(dice.one(of: Self.news))"
    return (
      pauses, Announcement(id: count, text: text, place: Int.random(in: 0...4, using: &dice))
    )
  }

  private static let subjects = [
    "alder-works", "fjord", "juniper", "kestrel-dev", "meadowlark", "quartz", "tidepool", "wren",
  ]
  private static let news = [
    "released a new version.", "has ten thousand stars now.", "is looking for maintainers.",
    "moved to structured concurrency.", "publishes its benchmarks from today on.",
  ]
}
