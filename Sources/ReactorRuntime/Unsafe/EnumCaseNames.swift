/// The names of all cases of an enum, read from the runtime.
///
/// Swift has no way to list the cases of a type that have payloads.
///
/// **Why it is sound**: the records that are read describe the type for `Mirror`, are part of the
/// program's image, and never change. Their layout is that of the stable interface of Swift on the
/// platforms that have one, and the same elsewhere: a metadata's second word refers to the type's
/// descriptor, whose fifth number is the distance to the names. Only fixed offsets are read.
///
/// **What would break it**: a runtime with another layout, and signed pointers (arm64e); a program
/// without this metadata has no names. Only tests call it.
package enum EnumCaseNames {
  /// The kind of an enum's metadata.
  private static let enumKind = 0x201
  /// The kinds of field descriptors that are of enums.
  private static let fieldKinds: ClosedRange<UInt16> = 2...3

  /// - Returns: The names in the order of their tags, those with payloads first; empty if the type
  ///   is no enum, or has no such description.
  package static func all(of type: Any.Type) -> [String] {
    let metadata = unsafeBitCast(type, to: UnsafeRawPointer.self)
    guard metadata.load(as: Int.self) == enumKind else { return [] }
    let descriptor = metadata.load(
      fromByteOffset: MemoryLayout<Int>.size, as: UnsafeRawPointer.self)
    guard let fields = target(of: descriptor + 16),
      fieldKinds.contains(fields.load(fromByteOffset: 8, as: UInt16.self))
    else { return [] }
    let size = Int(fields.load(fromByteOffset: 10, as: UInt16.self))
    let count = Int(fields.load(fromByteOffset: 12, as: UInt32.self))
    return (0..<count).compactMap { number in
      target(of: fields + 16 + number * size + 8).map {
        String(cString: $0.assumingMemoryBound(to: CChar.self))
      }
    }
  }

  /// What a relative reference refers to; `nil` for a reference to nothing.
  private static func target(of reference: UnsafeRawPointer) -> UnsafeRawPointer? {
    let distance = Int(reference.load(as: Int32.self))
    return distance == 0 ? nil : reference + distance
  }
}
