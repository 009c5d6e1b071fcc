import Foundation
import Reactor

/// One encoded value of a golden file.
struct GoldenSample: Codable, Equatable {
  /// The name of the enum case, or of the kind of sample.
  var name: String
  /// The encoded value: as text if it is text, otherwise in base 64.
  private var text: String?
  private var base64: String?
  /// The names of the fields, including those that are `nil`, which the encoding may not show.
  var fields: String?
  /// Whether the bytes are compared, and not only their shape.
  var isExact: Bool?

  init(_ name: String, _ data: Data, fields: String? = nil, isExact: Bool = false) {
    (self.name, self.fields) = (name, fields)
    if let text = String(data: data, encoding: .utf8) {
      self.text = text
    } else {
      base64 = data.base64EncodedString()
    }
    if isExact { self.isExact = true }
  }

  var data: Data? { text.map { Data($0.utf8) } ?? base64.flatMap { Data(base64Encoded: $0) } }

  /// Returns the sample with names of fields, unless it has them.
  func with(fields: String?) -> GoldenSample {
    var sample = self
    sample.fields = self.fields ?? fields
    return sample
  }

  /// The text that failures show.
  var shown: String { text ?? base64 ?? "" }

  /// What stays the same if only values change: the keys, and the kinds of values.
  ///
  /// For codecs other than JSON, it is the whole encoding.
  var shape: String { data.map(JSONShape.of) ?? "" }
}

/// The samples of one version.
struct GoldenFile: Codable {
  var version: Int
  var samples: [GoldenSample]

  init(version: Int, samples: [GoldenSample]) {
    (self.version, self.samples) = (version, samples)
  }

  /// Reads a file.
  ///
  /// - Returns: `nil` if there is no file.
  init?(at url: URL) throws {
    guard FileManager.default.fileExists(atPath: url.path) else { return nil }
    self = try JSONDecoder().decode(GoldenFile.self, from: Data(contentsOf: url))
  }

  func write(to url: URL) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    try FileManager.default.createDirectory(
      at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try (encoder.encode(self) + Data("\n".utf8)).write(to: url, options: .atomic)
  }
}

/// The shape of a JSON value: its keys in order, and the kinds of their values.
enum JSONShape {
  static func of(_ data: Data) -> String {
    guard let value = try? JSONSerialization.jsonObject(with: data, options: .fragmentsAllowed)
    else { return data.base64EncodedString() }
    return text(value)
  }

  private static func text(_ value: Any) -> String {
    switch value {
    case let fields as [String: Any]:
      "{\(fields.sorted { $0.key < $1.key }.map { "\($0): \(text($1))" }.joined(separator: ", "))}"
    case let elements as [Any]: "[\(Set(elements.map(text)).sorted().joined(separator: " | "))]"
    case is String: "string"
    case is NSNull: "null"
    // `NSNumber` is used for both.
    case let number as NSNumber: String(cString: number.objCType) == "c" ? "bool" : "number"
    default: "\(type(of: value))"
    }
  }
}

/// The name of a value in reports: that of its enum case, otherwise that of its type.
enum ReportNames {
  static func name(of value: Any) -> String { ReportText.name(of: value) }
}
