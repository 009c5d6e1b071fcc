import Foundation
import Reactor

/// The newest entries that fit into a number of bytes, and the state before them.
struct RecordingRing<R: JournaledReactor>: Sendable where R.Action: Codable {
  private let limit: Int
  private let hashesEvery: Int
  private let codec: any JournalCodec

  /// The state before the first entry.
  private var base: R.State?
  private var entries: [RecordedStep] = []
  /// How many entries at the front of the array have been discarded.
  private var removedCount = 0
  private var bytes = 0
  private var newest: R.State?

  init(limit: Int, hashesEvery: Int, codec: any JournalCodec) {
    (self.limit, self.hashesEvery, self.codec) = (limit, hashesEvery, codec)
  }

  var segment: RecordedSegment<R>? {
    guard let base else { return nil }
    var steps = Array(entries[removedCount...])
    // With a hash at the last mutation, a replay compares every mutation with something.
    if hashesEvery > 0, let newest, let last = steps.lastIndex(where: { $0.kind == .mutation }),
      steps[last].hash == nil
    {
      steps[last] = steps[last].hashed(try? CanonicalHash.of(newest))
    }
    return RecordedSegment(state: base, steps: steps, codec: codec)
  }

  mutating func note(_ step: ReactorStep, at time: Duration) {
    switch step.kind {
    case .started(let state):
      if base == nil, let state = state as? R.State { begin(at: state) }
    case .taken:
      guard let action = step.action, let value = action.value as? R.Action else { return }
      add(value, nil) { data in
        RecordedStep(
          .action, number: action.number.rawValue, of: nil, cause: action.cause,
          isOwn: action.cause?.reactor == step.reactor, after: time, payload: data, hash: nil)
      }
    case .reduced(let transition):
      guard let value = transition.mutation as? R.Mutation, let state = transition.new as? R.State
      else { return }
      let isHashed = hashesEvery > 0 && transition.number.isMultiple(of: UInt64(hashesEvery))
      let hash = isHashed ? try? CanonicalHash.of(state) : nil
      add(value, state) { data in
        RecordedStep(
          .mutation, number: transition.number, of: step.action?.number.rawValue, cause: nil,
          isOwn: false, after: time, payload: data, hash: hash)
      }
    default: break
    }
  }

  private mutating func begin(at state: R.State) {
    (base, entries, removedCount, bytes) = (state, [], 0, 0)
  }

  /// Adds an entry.
  ///
  /// - Parameters:
  ///   - value: The action or mutation.
  ///   - state: The state after it; `nil` if it has not changed.
  ///   - make: Makes the step from the encoded value.
  private mutating func add(
    _ value: some Encodable, _ state: R.State?, _ make: (Data) -> RecordedStep
  ) {
    defer { newest = state ?? newest }
    guard base != nil else {
      // The recording was added during a turn, so it begins after this mutation.
      if let state { begin(at: state) }
      return
    }
    guard let data = try? codec.encode(value) else {
      // Without this mutation, no earlier one can be replayed, so the recording begins again after
      // it.
      if let state = state ?? newest ?? base { begin(at: state) }
      return
    }
    let step = make(data)
    entries.append(step)
    bytes += step.size
    while bytes > limit, removedCount < entries.count - 1 { removeOldest(or: state) }
    if removedCount > entries.count / 2 {
      entries.removeFirst(removedCount)
      removedCount = 0
    }
  }

  private mutating func removeOldest(or state: R.State?) {
    let step = entries[removedCount]
    removedCount += 1
    bytes -= step.size
    guard step.kind == .mutation, var folded = base else { return }
    base = nil
    if let mutation = try? codec.decode(R.Mutation.self, from: step.payload) {
      R.reduce(state: &folded, mutation: mutation)
      base = folded
    } else if let state = state ?? newest {
      begin(at: state)
    }
  }
}
