import Reactor

/// Looks for the shortest run that still fails in the same way.
///
/// It changes the choices of the run, never its values: removes steps, sets choices to zero, lowers
/// them. So orders and failures of the world shrink as the actions do.
struct ExplorationShrinker<R: Reactor> {
  typealias Case = ExplorationCase<R>
  typealias Sequence = ChoiceSource.Sequence

  private let tested: Case
  private let name: String
  private var known: Set<Sequence> = []
  private(set) var best: Case.Result
  private(set) var tries = 0

  /// A number of tries, not a time, so that the result is the same on a busy machine.
  private static var limit: Int { 4_000 }

  init(_ tested: Case, _ failed: Case.Result, _ failure: ExplorationFailure) {
    (self.tested, best, name) = (tested, failed, failure.name)
  }

  mutating func shrink() async {
    var cost = Int.max
    while cost > Self.cost(of: best.choices), tries < Self.limit {
      cost = Self.cost(of: best.choices)
      await removeSteps()
      await zeroTracks()
      await removeChoices()
      await lowerChoices()
    }
  }

  private static func cost(of sequence: Sequence) -> Int {
    sequence.sections.reduce(sequence.steps.count) { sum, section in
      ChoiceSource.Track.allCases.reduce(sum) { sum, track in
        section[track].reduce(sum + section[track].count) { $0 + Int($1) }
      }
    }
  }

  /// Returns whether a sequence of choices fails as well; if so, it becomes the best one.
  private mutating func isBetter(_ sequence: Sequence) async -> Bool {
    guard sequence != best.choices, tries < Self.limit, !Task.isCancelled,
      known.insert(sequence).inserted
    else { return false }
    tries += 1
    let result = await tested.run(.chosen(sequence.steps.count), ChoiceSource(sequence))
    guard result.failure?.name == name, !result.hasIssue else { return false }
    // A run ends at its failure, so later steps are gone as well.
    best = result
    return true
  }

  // MARK: Passes

  /// Removes blocks of steps, large ones first.
  private mutating func removeSteps() async {
    var size = max(best.choices.steps.count / 2, 1)
    while true {
      var end = best.choices.steps.count
      while end > 0 {
        var sequence = best.choices
        let start = max(end - size, 0)
        guard end <= sequence.steps.count else {
          end = sequence.steps.count
          continue
        }
        sequence.steps.removeSubrange(start..<end)
        _ = await isBetter(sequence)
        end = start
      }
      if size == 1 { return }
      size /= 2
    }
  }

  /// Sets all choices of a track to zero: in all steps, and then in each.
  private mutating func zeroTracks() async {
    for track in [ChoiceSource.Track.order, .world, .step] {
      var sequence = best.choices
      sequence.sections = sequence.sections.map { section in
        var section = section
        section[track] = []
        return section
      }
      if await isBetter(sequence) { continue }
      var place = 0
      while place < best.choices.sections.count {
        var sequence = best.choices
        sequence.sections[place][track] = []
        _ = await isBetter(sequence)
        place += 1
      }
    }
  }

  /// Removes single choices, which shortens texts and arrays.
  private mutating func removeChoices() async {
    var section = best.choices.sections.count - 1
    while section >= 0 {
      for track in ChoiceSource.Track.allCases {
        guard section < best.choices.sections.count else { break }
        var place = best.choices.sections[section][track].count - 1
        while place >= 0 {
          var sequence = best.choices
          guard section < sequence.sections.count, place < sequence.sections[section][track].count
          else { break }
          sequence.sections[section][track].remove(at: place)
          _ = await isBetter(sequence)
          place -= 1
        }
      }
      section -= 1
    }
  }

  /// Lowers choices: to zero, or as far as the run fails.
  private mutating func lowerChoices() async {
    for section in best.choices.sections.indices.reversed() {
      for track in ChoiceSource.Track.allCases {
        var place = 0
        while let number = choice(section, track, place) {
          if number > 0 { await lower(section, track, place) }
          place += 1
        }
      }
    }
  }

  private mutating func lower(_ section: Int, _ track: ChoiceSource.Track, _ place: Int) async {
    guard await !set(section, track, place, to: 0) else { return }
    var low: UInt32 = 0
    while let high = choice(section, track, place), high > low + 1 {
      let middle = low + (high - low) / 2
      if await !set(section, track, place, to: middle) { low = middle }
    }
    // Numbers of both signs alternate, so that one less may be of the other sign.
    while let high = choice(section, track, place), high > 1,
      await set(section, track, place, to: high - 2)
    {}
  }

  private func choice(_ section: Int, _ track: ChoiceSource.Track, _ place: Int) -> UInt32? {
    let sections = best.choices.sections
    guard section < sections.count, place < sections[section][track].count else { return nil }
    return sections[section][track][place]
  }

  private mutating func set(
    _ section: Int, _ track: ChoiceSource.Track, _ place: Int, to choice: UInt32
  ) async -> Bool {
    var sequence = best.choices
    guard section < sequence.sections.count, place < sequence.sections[section][track].count
    else { return false }
    sequence.sections[section][track][place] = choice
    return await isBetter(sequence)
  }
}
