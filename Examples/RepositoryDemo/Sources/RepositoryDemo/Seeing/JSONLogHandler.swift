import Foundation
import Logging

/// Logs each message as one line of JSON, on standard error.
struct JSONLogHandler: LogHandler {
  var metadata: Logger.Metadata = [:]
  var metadataProvider: Logger.MetadataProvider?
  var logLevel = Logger.Level.info
  private let label: String
  private let write: @Sendable (String) -> Void

  init(
    label: String, metadataProvider: Logger.MetadataProvider? = Trace.metadata,
    write: @escaping @Sendable (String) -> Void = { line in
      try? FileHandle.standardError.write(contentsOf: Data(line.utf8))
    }
  ) {
    (self.label, self.metadataProvider, self.write) = (label, metadataProvider, write)
  }

  subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  func log(event: LogEvent) {
    var fields = metadata.merging(metadataProvider?.get() ?? [:]) { own, _ in own }
    fields.merge(event.metadata ?? [:]) { $1 }
    var line: [String: String] = fields.mapValues { "\($0)" }
    line["time"] = Date().formatted(.iso8601)
    line["level"] = event.level.rawValue
    line["logger"] = label
    line["message"] = "\(event.message)"
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    guard let data = try? encoder.encode(line) else { return }
    write(String(decoding: data, as: UTF8.self) + "\n")
  }
}
