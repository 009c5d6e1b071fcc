/// The name of an enum's case, read from the runtime.
///
/// `String(describing:)` would use a description written by the enum's author, and a `Mirror` has
/// only the names of cases with a payload.
///
/// **Why it is sound**: it is the function with which the standard library prints cases, declared
/// here as it is declared there. It reads which case the value is, and no payload. The string that
/// it returns is part of the program's image, and is copied.
///
/// **What would break it**: a runtime without this function, which would not link. It is part of
/// the stable interface on the platforms that have one.
package enum EnumCase {
  /// - Returns: `nil` if the value is not an enum, and for an enum whose cases have no names.
  package static func name(of value: Any) -> String? {
    func open<Value>(_ value: Value) -> String? { readName(value).map { String(cString: $0) } }
    return _openExistential(value, do: open)
  }
}

@_silgen_name("swift_EnumCaseName")
private func readName<Value>(_ value: Value) -> UnsafePointer<CChar>?
