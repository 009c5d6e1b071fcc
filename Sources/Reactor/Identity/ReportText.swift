import ReactorRuntime

/// A type that defines its own text in reports, and thereby in logs.
///
/// ```swift
/// extension Envelope: CustomReactorReportable {
///   var reportDescription: String { "\(ReportText.text(of: command)) of \(requestID)" }
/// }
/// ```
///
/// See ``ReportText`` for the text of types that do not define one.
public protocol CustomReactorReportable {
  /// The text in reports; it may be read on any thread.
  var reportDescription: String { get }
}

/// Turns actions, mutations and errors into text for reports, logs and metrics.
///
/// The contents of a value are shown only if its author has allowed it, so that a password never
/// reaches a log by default:
///
/// | Value | Text |
/// |---|---|
/// | defines its own text | that text |
/// | a number, a string, a `Bool` and the like, by itself | itself |
/// | an enum | the name of the case, without its payload |
/// | an optional | its wrapped value, or `nil` |
/// | anything else: structs, classes, tuples, arrays, dictionaries | the name of its type |
///
/// A value defines its own text if it is ``CustomReactorReportable``, or if its type is yours and
/// is `CustomStringConvertible`, `TextOutputStreamable` or `CustomDebugStringConvertible`: the
/// first of these applies. A class of yours that inherits from a class of Foundation, such as
/// `NSError`, has to be ``CustomReactorReportable``, since the inherited description shows all that
/// it contains.
///
/// If a value does not define its own text, none of its code is called, not even its
/// `customMirror`, and its payload is not read.
public enum ReportText {
  /// Returns the text of a value.
  ///
  /// - Parameter value: An action, a mutation, a lane's name.
  /// - Returns: Its own text, or ``name(of:)``.
  public static func text(of value: Any) -> String {
    guard let value = unwrapped(value) else { return "nil" }
    return ownText(of: value) ?? bareText(of: value) ?? name(of: value)
  }

  /// Returns the kind of a value: the name of an enum's case, otherwise the name of its type.
  ///
  /// It never depends on the value's contents, nor on the text that its author defines. There are
  /// few different names, so a metric can be labelled with them.
  ///
  /// - Parameter value: An action, a mutation.
  /// - Returns: The name.
  public static func name(of value: Any) -> String {
    guard let value = unwrapped(value) else { return "nil" }
    return caseName(of: value) ?? "\(type(of: value))"
  }

  /// Returns the text of an error: like that of other values, but with the type's name before that
  /// of the case.
  ///
  /// For an error of the standard library or of Foundation, such as a `DecodingError`, it is only
  /// that name, and for those of Foundation the domain and the code. Their own descriptions may
  /// quote the input.
  ///
  /// - Parameter error: The error.
  /// - Returns: Its own text, or ``name(ofError:)``.
  public static func text(ofError error: any Error) -> String {
    if let text = ownText(of: error) { return text }
    guard origin(of: error) == .foundation else { return name(ofError: error) }
    // Every error has these from the runtime or from Foundation; no code of the author runs.
    return "\(name(ofError: error)) \(error._domain) \(error._code)"
  }

  /// Returns the kind of an error, like ``name(of:)``: `ServiceError.offline`.
  ///
  /// - Parameter error: The error.
  /// - Returns: The name.
  public static func name(ofError error: any Error) -> String {
    let type = "\(type(of: error as Any))"
    return caseName(of: error).map { "\(type).\($0)" } ?? type
  }
}

extension ReportText {
  /// Whether a value's type is of the standard library or of Foundation, and so may contain
  /// anything.
  package static func isForeign(_ value: Any) -> Bool { origin(of: value) != .author }

  /// Where a type is defined.
  private enum Origin { case author, foundation, standardLibrary }

  private static func origin(of value: Any) -> Origin {
    let typeOrigin = origin(named: type(of: value))
    guard typeOrigin == .author, var child = type(of: value) as? AnyClass else { return typeOrigin }
    // The superclass defines the description. A class without a superclass shows only its name.
    while let parent = _getSuperclass(child), _getSuperclass(parent) != nil {
      if origin(named: parent) != .author { return .foundation }
      child = parent
    }
    return typeOrigin
  }

  private static func origin(named type: Any.Type) -> Origin {
    let name = String(reflecting: type)
    if name.hasPrefix("Swift.") { return .standardLibrary }
    // Classes that are imported from Objective-C have no module.
    let isForeign = name.hasPrefix("__C.") || !name.contains(".")
    return isForeign || name.hasPrefix("Foundation") ? .foundation : .author
  }

  /// The text that an author's type defines.
  private static func ownText(of value: Any) -> String? {
    if let value = value as? any CustomReactorReportable { return value.reportDescription }
    guard origin(of: value) == .author else { return nil }
    if let value = value as? any CustomStringConvertible { return value.description }
    if let value = value as? any TextOutputStreamable { return String(describing: value) }
    return (value as? any CustomDebugStringConvertible)?.debugDescription
  }

  /// Numbers, strings and the like: types of the standard library that contain nothing of another
  /// type.
  private static func bareText(of value: Any) -> String? {
    guard let bare = value as? any CustomStringConvertible, origin(of: value) == .standardLibrary,
      !String(reflecting: type(of: value)).contains("<")
    else { return nil }
    return bare.description
  }

  private static func caseName(of value: Any) -> String? {
    guard !(value is any CustomReflectable) else { return nil }
    return EnumCase.name(of: value)
  }

  /// Removes the optionals and the `AnyHashable`s around a value, which would print their contents.
  private static func unwrapped(_ value: Any) -> Any? {
    var value = value
    while true {
      if let optional = value as? any OptionalValue {
        guard let content = optional.content else { return nil }
        value = content
      } else if type(of: value) == AnyHashable.self, let hashable = value as? AnyHashable {
        value = hashable.base
      } else {
        return value
      }
    }
  }
}

/// Any optional, regardless of its wrapped type.
private protocol OptionalValue {
  var content: Any? { get }
}

extension Optional: OptionalValue {
  fileprivate var content: Any? { map { $0 as Any } }
}
