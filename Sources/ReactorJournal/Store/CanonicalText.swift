import Foundation

/// One way of writing for texts that are compared by Swift, and by their bytes as well.
package enum CanonicalText {
  /// The one form of all texts that are equal to Swift: the composed one.
  package static func of(_ text: String) -> String {
    text.utf8.allSatisfy { $0 < 0x80 } ? text : text.precomposedStringWithCanonicalMapping
  }
}
