/// The name of an enum's case, asked of the runtime.
///
/// `String(describing:)` would ask the value itself where its author has written a description, and
/// a `Mirror` knows only the names of cases that have a payload.
///
/// **Why it is sound**: it is the function that the standard library prints cases with, declared
/// here as it is declared there. It reads which case it is, and looks at no payload. What it
/// returns stands in the program's image, and is copied.
///
/// **What would break it**: a runtime without this function, which would not link; it is part of
/// the stable interface on the platforms that have one.
package enum EnumCase {
  /// - Returns: `nil` for what is no enum, and for an enum whose cases have no names.
  package static func name(of value: Any) -> String? {
    func open<Value>(_ value: Value) -> String? { readName(value).map { String(cString: $0) } }
    return _openExistential(value, do: open)
  }
}

@_silgen_name("swift_EnumCaseName")
private func readName<Value>(_ value: Value) -> UnsafePointer<CChar>?
