import Foundation
import Reactor
import Synchronization

/// The last steps of all reactors, for the page `/inside`.
///
/// Holds: `state`, guarded by its own lock. It is called on the reactors, so it only records.
final class StepLog: ReactorObserver {
  struct Line: Sendable {
    let number: Int
    let reactor: String
    let text: String
    let cause: String
  }

  private struct State: Sendable {
    var lines: [Line] = []
    var next = 1
    var live: [String: Int] = [:]
    /// The number of actions in each of the last seconds.
    var seconds: [Int64: Int] = [:]
  }

  private let state = Mutex(State())
  private let start = ContinuousClock.now
  private static let limit = 100

  var needs: ObserverNeeds { [.steps, .times, .causes] }

  func observe(_ step: ReactorStep) {
    let second = start.duration(to: step.time ?? .now).components.seconds
    let type = "\(step.reactor.type)"
    let action = step.action.map { "\($0.name): " } ?? ""
    // An action that no other action has sent was sent by a request, or by a part of the program
    // that is no reactor.
    let request = Trace.id.map { "request \($0.prefix(8))" }
    let cause = step.action?.cause.map { "\($0)" } ?? request ?? "the program"
    state.withLock { state in
      switch step.kind {
      case .started: state.live[type, default: 0] += 1
      case .released: state.live[type, default: 1] -= 1
      case .taken:
        state.seconds[second, default: 0] += 1
        if state.seconds.count > 70 {
          state.seconds = state.seconds.filter { $0.key > second - 60 }
        }
      default: break
      }
      state.lines.append(
        Line(
          number: state.next, reactor: "\(step.reactor)", text: action + step.kind.text,
          cause: cause)
      )
      state.next += 1
      // Many are removed at once, and rarely.
      if state.lines.count >= 2 * Self.limit { state.lines.removeFirst(Self.limit) }
    }
  }

  /// The newest first.
  var lines: [Line] { state.withLock { Array($0.lines.suffix(Self.limit).reversed()) } }

  /// The number of live reactors of each type.
  var live: [(type: String, count: Int)] {
    state.withLock { state in
      state.live.filter { $0.value > 0 }.map { ($0.key, $0.value) }.sorted { $0.0 < $1.0 }
    }
  }

  /// Actions per second, over the last ten seconds.
  var rate: Double {
    let now = start.duration(to: .now).components.seconds
    return state.withLock { state in
      Double((now - 10..<now).reduce(0) { $0 + (state.seconds[$1] ?? 0) }) / 10
    }
  }
}
