import Foundation
import Testing
import TestLimits

@testable import ReactorJournal

/// The one form of a text, which has to be one for all that are equal.
@Suite(.bounded) struct CanonicalTextTests {
  /// All that decompose or are reordered, behind a letter and before marks that meet them.
  private static let texts: [String] = (0x80...0x10_FFFF).compactMap(Unicode.Scalar.init)
    .filter { scalar in
      scalar.properties.canonicalCombiningClass != .notReordered
        || String(scalar).decomposedStringWithCanonicalMapping.unicodeScalars.first != scalar
    }
    .flatMap { scalar in ["\u{301}", "\u{327}\u{301}", "\u{F73}"].map { "a\(scalar)\($0)" } }

  private func bytes(_ text: String) -> [UInt8] { Array(CanonicalText.of(text).utf8) }

  @Test func `texts that are equal have the same bytes`() {
    for text in Self.texts {
      let ours = bytes(text)
      for other in [
        text.decomposedStringWithCanonicalMapping, text.precomposedStringWithCanonicalMapping,
      ] where other == text && bytes(other) != ours {
        Issue.record("\(text.debugDescription) and \(other.debugDescription)")
      }
    }
  }

  @Test func `the canonical form of a canonical form is itself`() {
    for text in Self.texts where bytes(CanonicalText.of(text)) != bytes(text) {
      Issue.record("\(text.debugDescription)")
    }
  }

  @Test(arguments: [
    ("cafe\u{301}", "caf\u{E9}"), ("\u{1112}\u{1161}\u{11AB}", "\u{D55C}"),
    ("a\u{F73}\u{301}", "\u{E1}\u{F71}\u{F72}"), ("a\u{301}\u{327}", "\u{E1}\u{327}"),
    ("plain", "plain"), ("", ""),
  ])
  func `the canonical form is the composed one`(_ text: String, _ form: String) {
    #expect(bytes(text) == Array(form.utf8))
  }

  @Test func `a character of a higher plane is not confused with another one`() {
    let text = "\u{200CA}\u{301}"
    #expect(bytes(text) == Array(text.utf8))
  }
}
