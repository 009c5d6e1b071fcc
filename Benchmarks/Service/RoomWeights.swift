import Foundation
import Reactor
import ReactorComposition

/// What many rooms weigh that nobody uses any more.
struct RoomWeights {
  let count: Int

  func weigh(_ kind: String) async throws {
    let before = resident
    var held: [Any] = []
    if kind == "bare" {
      let service = BareService()
      for number in 0..<count { await service.rooms["room-\(number)"].perform(.book(1)) }
      held.append(service)
    } else {
      let rooms = ReactorRooms()
      for number in 0..<count {
        let _: Ticket = try await rooms.rooms["room-\(number)"].ask { .buy(1, $0) }
      }
      held.append(rooms)
    }
    let bytes = resident - before
    ServiceBench.say("bytes \(bytes / count)")
    ServiceBench.say("megabytes \(bytes / 1_000_000)")
    withExtendedLifetime(held) {}
  }

  /// What of this process is in memory.
  private var resident: Int {
    let text = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8)) ?? ""
    let pages = text.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
    return pages * 4096
  }
}
