import Hummingbird

/// What both services do: seats of a room are booked, and whoever asks is told how many.
enum BookingAction: Codable, Sendable { case book(Int) }

struct Order: Codable, Sendable { let seats: Int }

struct Ticket: Codable, Sendable, ResponseEncodable {
  let room: String
  let number: Int
  let seats: Int
}

struct RoomState: Codable, Sendable, Equatable, ResponseEncodable {
  var booked = 0
  var tickets = 0
  var news = ""
}

struct Taken: Codable, Sendable, ResponseEncodable { var outcome = "finished" }
