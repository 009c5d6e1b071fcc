/// An element with its number in the order of what it was taken from: where it goes if it is put
/// back there.
@usableFromInline
package struct Numbered<Element> {
  @usableFromInline package let number: UInt64
  @usableFromInline package let element: Element

  @inlinable
  package init(_ number: UInt64, _ element: Element) {
    self.number = number
    self.element = element
  }
}

extension Numbered: Sendable where Element: Sendable {}

/// Known by its number where no other has it.
extension Numbered: Identifiable {
  @inlinable package var id: UInt64 { number }
}
