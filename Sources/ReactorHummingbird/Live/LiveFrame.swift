import Foundation
import NIOCore

/// A state as clients get it: encoded once, sent to all.
struct LiveFrame: Sendable {
  /// Of which reactor it is, and its version: what `Last-Event-ID` is made of.
  let place: String
  /// A whole event, for a stream of this reactor alone.
  let event: ByteBuffer
  /// The end of such an event, from its data on: the same memory.
  let data: ByteBuffer

  init(place: String, json: Data) {
    self.place = place
    var buffer = ByteBuffer()
    buffer.reserveCapacity(json.count + place.utf8.count + 16)
    buffer.writeString("id: \(place)\n")
    let start = buffer.writerIndex
    // What an encoder writes in one line has no other line's end in it.
    buffer.writeString("data: ")
    buffer.writeBytes(json)
    buffer.writeString("\n\n")
    event = buffer
    var data = buffer
    data.moveReaderIndex(to: start)
    self.data = data
  }

  /// Says of places where they have been given: those of another process mean nothing here.
  static let process = String(UInt32.random(in: .min ... .max), radix: 36)

  /// What changes while no client looks is not counted as a version: so what is in it counts, too.
  static func place(reactor: UInt64, version: UInt64, json: Data) -> String {
    var hasher = Hasher()
    json.withUnsafeBytes { hasher.combine(bytes: $0) }
    let content = String(UInt(bitPattern: hasher.finalize()), radix: 36)
    return "\(process)-\(reactor).\(version).\(content)"
  }
}
