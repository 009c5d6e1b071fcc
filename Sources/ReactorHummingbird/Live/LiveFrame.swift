import Foundation
import NIOCore

/// A state as an event: encoded once, sent to all clients.
struct LiveFrame: Sendable {
  /// Identifies the reactor and the version of the state, for `Last-Event-ID`.
  let eventID: String
  /// A complete event, for a stream of this reactor alone.
  let event: ByteBuffer
  /// The part of the event from its data on, in the same memory.
  let data: ByteBuffer

  init(eventID: String, json: Data) {
    self.eventID = eventID
    var buffer = ByteBuffer()
    buffer.reserveCapacity(json.count + eventID.utf8.count + 16)
    buffer.writeString("id: \(eventID)\n")
    let start = buffer.writerIndex
    // The encoder writes one line, without line breaks.
    buffer.writeString("data: ")
    buffer.writeBytes(json)
    buffer.writeString("\n\n")
    event = buffer
    var data = buffer
    data.moveReaderIndex(to: start)
    self.data = data
  }

  /// Identifies this process, since identifiers of another process have no meaning here.
  static let process = String(UInt32.random(in: .min ... .max), radix: 36)

  /// Returns the identifier of a state, with a hash of its contents.
  ///
  /// Versions do not count changes while no client is connected, so the contents have to be part of
  /// the identifier.
  static func eventID(reactor: UInt64, version: UInt64, json: Data) -> String {
    var hasher = Hasher()
    json.withUnsafeBytes { hasher.combine(bytes: $0) }
    let content = String(UInt(bitPattern: hasher.finalize()), radix: 36)
    return "\(process)-\(reactor).\(version).\(content)"
  }
}
