import Foundation

/// One way of writing for texts that are compared by Swift, and by their bytes as well.
package enum CanonicalText {
  /// The one form of all texts that are equal to Swift: the composed one.
  ///
  /// It is made of the decomposed one, and that scalar by scalar. For Foundation has two results
  /// for a few texts that are equal (those with U+0F73 before a mark), and composes what is no
  /// such pair (U+200CA with an accent): such a text stays decomposed.
  package static func of(_ text: String) -> String {
    if isPlain(text) { return text }
    let parts = decomposed(text)
    let composed = parts.precomposedStringWithCanonicalMapping
    return isSame(decomposed(composed), parts) ? composed : parts
  }

  /// Whether there is but one way of writing it.
  static func isPlain(_ text: String) -> Bool { text.utf8.allSatisfy { $0 < 0x80 } }

  /// Every scalar taken apart, and marks of a letter in the order of their classes.
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

  /// By their bytes.
  static func isSame(_ one: String, _ other: String) -> Bool {
    one.utf8.elementsEqual(other.utf8)
  }
}
