import Foundation

/// A canonical form for texts that are compared both as Swift strings and by their bytes.
package enum CanonicalText {
  /// Returns the same form for all texts that Swift considers equal: the composed one.
  ///
  /// Foundation gives two results for a few equal texts (those with U+0F73 before a mark), so the
  /// text is first decomposed scalar by scalar. Foundation also composes a pair that has no
  /// composed form (U+200CA with an accent); such a text remains decomposed.
  package static func of(_ text: String) -> String {
    if isPlain(text) { return text }
    let parts = decomposed(text)
    let composed = parts.precomposedStringWithCanonicalMapping
    return isSame(decomposed(composed), parts) ? composed : parts
  }

  /// Whether the text is ASCII, and so has only one form.
  static func isPlain(_ text: String) -> Bool { text.utf8.allSatisfy { $0 < 0x80 } }

  /// Returns the text with every scalar decomposed, and with combining marks in the order of their
  /// classes.
  static func decomposed(_ text: String) -> String {
    var scalars: [Unicode.Scalar] = []
    for scalar in text.unicodeScalars {
      for part in String(scalar).decomposedStringWithCanonicalMapping.unicodeScalars {
        let order = part.properties.canonicalCombiningClass
        var place = scalars.endIndex
        while order != .notReordered, place > 0,
          scalars[place - 1].properties.canonicalCombiningClass > order
        {
          place -= 1
        }
        scalars.insert(part, at: place)
      }
    }
    var result = ""
    result.unicodeScalars.append(contentsOf: scalars)
    return result
  }

  /// Whether the texts have the same bytes.
  static func isSame(_ one: String, _ other: String) -> Bool {
    one.utf8.elementsEqual(other.utf8)
  }
}
