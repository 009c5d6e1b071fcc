import Foundation
import Observation
import Reactor
import ReactorJournal
import ReactorObservation

/// The target temperature; it is isolated to the main actor, as is the dial that shows it.
actor Thermostat: MainActorReactor, JournaledReactor {
  enum Action: Codable { case set(Int) }
  enum Mutation: Codable { case set(Int) }
  struct State: Codable { var target = 20 }

  static let journalName = "thermostat"
  static let journalVersion = 1
  static let initialState = State()
  nonisolated var unownedExecutor: UnownedSerialExecutor { MainActor.sharedUnownedExecutor }
  let pipeline = Pipeline()

  func mutate(action: Action) -> MutationStream<Mutation> {
    switch action {
    case .set(let target): .just(.set(target))
    }
  }

  static func reduce(state: inout State, mutation: Mutation) {
    switch mutation {
    case .set(let target): state.target = target
    }
  }
}

/// Shows the target, and shows it again whenever it changes.
@MainActor final class Dial {
  private let thermostat: ObservedReactor<Thermostat>

  init(_ thermostat: ObservedReactor<Thermostat>) {
    self.thermostat = thermostat
    draw()
  }

  /// Turns the dial: the new target is shown at once, and sent.
  func turn(to target: Int) async {
    await thermostat.set(\.target, to: target) { .set($0) }.settled
  }

  private func draw() {
    withObservationTracking {
      print("dial: \(thermostat.target)")
    } onChange: {
      Task { @MainActor in self.draw() }
    }
  }
}

@main enum Program {
  @MainActor static func main() async {
    let words = CommandLine.arguments.dropFirst()
    guard let path = words.first else {
      print("usage: Thermostat FILE [TARGET …]")
      exit(64)
    }
    do {
      let targets = words.dropFirst().compactMap { Int($0) }
      if targets.isEmpty { try show(path) } else { try await record(targets, to: path) }
    } catch {
      print("error: \(error)")
      exit(1)
    }
  }

  /// Turns the dial, and writes a recording of the thermostat to a file.
  @MainActor private static func record(_ targets: [Int], to path: String) async throws {
    let journal = try await Journal(.inMemory)
    let thermostat = try await journal.open("1") { Thermostat() }
    let recording = Recording(of: thermostat)
    let dial = Dial(await ObservedReactor(thermostat))
    for target in targets {
      await dial.turn(to: target)
      print("thermostat:", thermostat.stateNow.target)
    }
    try recording.segment?.write(to: path)
    await thermostat.stop().settled
  }

  /// Replays the recording of another run.
  private static func show(_ path: String) throws {
    let segment = try RecordedSegment<Thermostat>(contentsOf: path)
    for change in try segment.changes() { print("recorded: \(change.mutation)") }
    let state = try segment.replay()
    print("replayed: \(state.target)")
  }
}
