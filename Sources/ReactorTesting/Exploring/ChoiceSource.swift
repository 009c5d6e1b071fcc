import Reactor
import ReactorRuntime

/// The one source of choices of a run: which steps, in which order tasks run, and what fails.
///
/// Each choice is a number below a bound, and 0 is the tamest. A run records its choices, one
/// section for each of its steps, and reads recorded ones; past the end of a track it reads 0. So
/// to shrink a run is to shorten and lower its choices, and removing a step keeps those of the
/// others.
///
/// Holds: `state`, guarded by its own lock.
final class ChoiceSource: Sendable {
  /// What a choice is about.
  enum Track: Int, Sendable, CaseIterable {
    /// What a step does.
    case step
    /// Which job runs next.
    case order
    /// What the world does: values, failures and delays.
    case world
  }

  /// The choices of one step.
  struct Section: Sendable, Hashable {
    private var tracks: [[UInt32]] = [[], [], []]

    init(step: [UInt32] = [], order: [UInt32] = [], world: [UInt32] = []) {
      tracks = [step, order, world]
    }

    subscript(track: Track) -> [UInt32] {
      get { tracks[track.rawValue] }
      set { tracks[track.rawValue] = newValue }
    }

    /// The same without zeros at the ends, which are read anyway.
    var trimmed: Section {
      var section = self
      for track in Track.allCases { section[track] = Self.trimmed(section[track]) }
      return section
    }

    private static func trimmed(_ choices: [UInt32]) -> [UInt32] {
      Array(choices.prefix((choices.lastIndex { $0 != 0 } ?? -1) + 1))
    }
  }

  /// The choices of a run.
  struct Sequence: Sendable, Hashable {
    var setUp = Section()
    var steps: [Section] = []
    var end = Section()

    /// All sections, the ones before and after the steps included.
    var sections: [Section] {
      get { [setUp] + steps + [end] }
      set {
        (setUp, steps, end) = (
          newValue[0], Array(newValue.dropFirst().dropLast()), newValue[newValue.count - 1]
        )
      }
    }
  }

  /// How a run that is not a repetition chooses; drawn once for a run, so that runs differ.
  private struct Habits: Sendable {
    /// How many of 16 choices of an order are not the tamest.
    let preempts: UInt64
    /// How many of 16 choices of the world are not the tamest.
    let surprises: UInt64
    /// How many of 16 steps do not wait until nothing can run.
    let hurries: UInt64
    /// How many of 16 steps advance the clock.
    let advances: UInt64
    /// The actions of a run, as bits; a run that has only some of them reaches other states.
    let actions: UInt64

    init(_ random: inout SplitMix64, isTame: Bool) {
      func one(of values: [UInt64]) -> UInt64 { values[Int(random.next() % UInt64(values.count))] }
      preempts = isTame ? 0 : one(of: [0, 1, 4, 12])
      surprises = one(of: [1, 3, 8])
      hurries = one(of: [0, 4, 12])
      advances = one(of: [2, 5, 9])
      actions = random.next() % 3 == 0 ? .max : random.next()
    }
  }

  private struct State: Sendable {
    var random: SplitMix64?
    var habits: Habits?
    let given: Sequence
    var recorded = Sequence()
    var section = 0
    var read = [0, 0, 0]
    /// The bounds of the choices, which a repetition has to ask for as well.
    var bounds = SplitMix64(seed: 0)
    var trace: UInt64 = 0
    var isChoosingAction = false
  }

  private let state: Guarded<State>

  /// Chooses at random, by a seed.
  init(seed: UInt64, isTame: Bool) {
    var random = SplitMix64(seed: seed)
    let habits = Habits(&random, isTame: isTame)
    state = Guarded(State(random: random, habits: habits, given: Sequence()))
  }

  /// Repeats what is given.
  init(_ given: Sequence) { state = Guarded(State(random: nil, habits: nil, given: given)) }

  /// What has been chosen, without zeros at the ends.
  var recorded: Sequence {
    var sequence = state.withLock { $0.recorded }
    sequence.sections = sequence.sections.map(\.trimmed)
    return sequence
  }

  /// A number that differs, almost certainly, if other choices were requested.
  var trace: UInt64 { state.withLock { $0.trace } }

  /// Begins the section of the next step.
  func beginStep() {
    state.withLock { state in
      state.recorded.steps.append(Section())
      (state.section, state.read) = (state.recorded.steps.count, [0, 0, 0])
    }
  }

  /// Begins the section after the last step.
  func beginEnd() { state.withLock { ($0.section, $0.read) = (-1, [0, 0, 0]) } }

  // MARK: Drawing

  /// Chooses a number below a bound.
  func draw(_ track: Track, below bound: Int) -> Int {
    guard bound > 1 else { return 0 }
    return state.withLock { state in
      let limit = UInt32(clamping: bound)
      return Self.take(&state, track, limit) { random, habits in
        let rarely =
          switch track {
          case .step: UInt64(16)
          case .order: habits.preempts
          case .world: habits.surprises
          }
        guard random.next() % 16 < rarely else { return 0 }
        return UInt32(random.next() % UInt64(limit))
      }
    }
  }

  /// Chooses a number, and returns its place among the choices of its step and track as well.
  func drawWithPlace(_ track: Track, below bound: Int) -> (choice: Int, place: Int) {
    let choice = draw(track, below: bound)
    return (choice, state.withLock { Self.section($0.section, of: $0.recorded)[track].count })
  }

  /// Chooses one of some alternatives; those of an action are some of all, in each run others.
  func drawAlternative(_ track: Track, of count: Int) -> Int {
    guard count > 1 else { return 0 }
    let isAction = state.withLock { state in
      defer { state.isChoosingAction = false }
      return state.isChoosingAction
    }
    guard isAction else { return draw(track, below: count) }
    return state.withLock { state in
      Self.take(&state, track, UInt32(clamping: count)) { random, habits in
        let some = (0..<count).filter { habits.actions >> UInt64($0 % 64) & 1 == 1 }
        let place = Int(random.next() % UInt64(max(some.count, 1)))
        return UInt32(some.isEmpty ? Int(habits.actions % UInt64(count)) : some[place])
      }
    }
  }

  /// The next alternatives are those of an action.
  func beginAction() { state.withLock { $0.isChoosingAction = true } }

  /// Chooses whether a step advances the clock.
  func drawAdvances() -> Bool { drawFlag { $0.advances } }

  /// Chooses after how many jobs the next step comes; `nil` is when nothing can run.
  func drawPause() -> Int? {
    guard drawFlag({ $0.hurries }) else { return nil }
    return draw(.step, below: 8)
  }

  private func drawFlag(_ share: @Sendable (Habits) -> UInt64) -> Bool {
    state.withLock { state in
      Self.take(&state, .step, 2) { random, habits in random.next() % 16 < share(habits) ? 1 : 0 }
    } == 1
  }

  private static func take(
    _ state: inout State, _ track: Track, _ bound: UInt32,
    _ choose: (inout SplitMix64, Habits) -> UInt32
  ) -> Int {
    state.trace = (state.trace ^ UInt64(bound)) &* 0x100_0000_01B3 &+ UInt64(track.rawValue)
    var choice: UInt32 = 0
    if var random = state.random, let habits = state.habits {
      choice = choose(&random, habits)
      state.random = random
    } else {
      let place = state.read[track.rawValue]
      let given = section(state.section, of: state.given)[track]
      if place < given.count { choice = min(given[place], bound - 1) }
      state.read[track.rawValue] += 1
    }
    switch state.section {
    case 0: state.recorded.setUp[track].append(choice)
    case -1: state.recorded.end[track].append(choice)
    default: state.recorded.steps[state.section - 1][track].append(choice)
    }
    return Int(choice)
  }

  private static func section(_ number: Int, of sequence: Sequence) -> Section {
    switch number {
    case 0: sequence.setUp
    case -1: sequence.end
    default: number <= sequence.steps.count ? sequence.steps[number - 1] : Section()
    }
  }
}
