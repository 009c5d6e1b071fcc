import Foundation
import ListChanges
import Reactor

/// A text that no log, report, error, metric, span or answer may show, in values and errors of each
/// kind.
///
/// None of them says itself how it is shown: what its author shows is shown on purpose. Only the
/// library's own error does.
package enum Secret {
  package static let text = "hunter2-correct-horse"

  /// A value or an error with the text in it, by the name of its kind.
  package struct Sample<Value: Sendable>: Sendable, CustomStringConvertible {
    package let description: String
    package let value: Value

    init(_ description: String, _ value: Value) {
      (self.description, self.value) = (description, value)
    }
  }

  package struct Carrier: Error, Codable, Hashable {
    package var text: String

    package init(_ text: String = Secret.text) { self.text = text }
  }

  package enum Broken: Error, Hashable {
    case because(String)
    case labelled(user: String, password: String)
    indirect case again(Broken)
  }

  package enum Refusal: ExpectedError, Hashable { case because(String) }

  package struct ToldRefusal: ExpectedError { let why = Secret.text }

  private final class Held: Error { let text = Secret.text }

  private struct Envelope<Content: Sendable>: Sendable { let content: Content }

  /// Cancelled by name, and not by type.
  private struct CancellationError: Error { let text = Secret.text }

  private struct Localized: LocalizedError { var errorDescription: String? { Secret.text } }

  private struct Bridged: CustomNSError {
    var errorUserInfo: [String: Any] { [NSLocalizedDescriptionKey: Secret.text] }
  }

  /// An author's class that inherits how it describes itself.
  private final class Inheriting: NSError, @unchecked Sendable {}
}

extension Secret {
  /// Values of each kind.
  package static let values = errors.map { Sample<any Sendable>($0.description, $0.value) } + others

  private static let others: [Sample<any Sendable>] = [
    Sample("class", Held()),
    Sample("optional", Optional(Broken.because(text)) as any Sendable),
    Sample("optional of an optional", Optional(Optional(Carrier())) as any Sendable),
    Sample("generic", Envelope(content: Broken.because(text))),
    Sample("generic of a string", Envelope(content: text)),
    Sample("array", [text]),
    Sample("array of enums", [Broken.because(text)]),
    Sample("dictionary", ["password": text]),
    Sample("dictionary by it", [text: 1]),
    Sample("set", Set([text])),
    Sample("tuple", (text, 1)),
    Sample("range", text...text),
    Sample("result", Result<String, Broken>.success(text)),
    Sample("pulse", Pulse(wrappedValue: Carrier())),
    Sample("pulse of an optional", Pulse(wrappedValue: Optional(Carrier()))),
    Sample("pulse of a pulse", Pulse(wrappedValue: Pulse(wrappedValue: Carrier()))),
    Sample("lane's key", LaneKey(Carrier())),
  ]

  /// Errors of each kind.
  package static let errors: [Sample<any Error>] = [
    Sample("struct", Carrier()),
    Sample("enum", Broken.because(text)),
    Sample("enum with labels", Broken.labelled(user: "ada", password: text)),
    Sample("enum in an enum", Broken.again(.because(text))),
    Sample("class", Held()),
    Sample("refusal", Refusal.because(text)),
    Sample("refusal, a struct", ToldRefusal()),
    Sample("cancellation by name", CancellationError()),
    Sample("localized", Localized()),
    Sample("bridged", Bridged()),
    Sample("NSError", NSError(domain: "test", code: 1, userInfo: info)),
    Sample("subclass of NSError", Inheriting(domain: "test", code: 1, userInfo: info)),
    Sample("URLError", URLError(.badURL, userInfo: info)),
    Sample("CocoaError", CocoaError(.fileNoSuchFile, userInfo: info)),
    Sample("dataCorrupted", DecodingError.dataCorrupted(decoding)),
    Sample("typeMismatch", DecodingError.typeMismatch(Int.self, decoding)),
    Sample("valueNotFound", DecodingError.valueNotFound(Int.self, decoding)),
    Sample("keyNotFound", DecodingError.keyNotFound(key, decoding)),
    Sample(
      "invalidValue",
      EncodingError.invalidValue(
        text, EncodingError.Context(codingPath: [key], debugDescription: "not \(text)"))),
    Sample("duplicate identifier", duplicate),
  ]

  /// Of a list of two rows whose id is the text.
  private static let duplicate: any Error = {
    do {
      _ = try ListChanges(from: [text, text], to: [text], id: \.self)
    } catch { return error }
    preconditionFailure("two rows with one id have been compared")
  }()

  private static let info: [String: any Sendable] = [
    NSLocalizedDescriptionKey: text, NSFilePathErrorKey: text,
    "url": "https://\(text)",
  ]

  private static let decoding = DecodingError.Context(
    codingPath: [key], debugDescription: "Cannot initialize Level from \(text)",
    underlyingError: Carrier())

  /// As of a dictionary that is decoded.
  private struct Key: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }
    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }

  private static let key = Key(stringValue: text)

  /// All texts that an error has when it is printed, in a log say.
  package static func texts(of error: any Error) -> [String] {
    ["\(error)", error.localizedDescription, String(reflecting: error)]
  }
}
