import ReactorRuntime

/// A type that says how it is shown in reports, and thereby in logs.
///
/// ```swift
/// extension Envelope: CustomReactorReportable {
///   var reportDescription: String { "\(ReportText.text(of: command)) of \(requestID)" }
/// }
/// ```
///
/// See ``ReportText`` for what is shown of a type that does not say it.
public protocol CustomReactorReportable {
  /// What is shown; it may be called on any thread.
  var reportDescription: String { get }
}

/// How actions, mutations and errors are shown where others may read it: in reports, in logs, in
/// metrics.
///
/// What a value carries is not shown unless its author has said so, so that a password never
/// reaches a log by default:
///
/// | Value | Text |
/// |---|---|
/// | says it itself | what it says |
/// | a number, a string, a `Bool` and the like, by itself | itself |
/// | an enum | the name of the case, without its payload |
/// | an optional | what it holds, or `nil` |
/// | anything else: structs, classes, tuples, arrays, dictionaries | the name of its type |
///
/// A value says it itself where it is ``CustomReactorReportable``, or of a type of yours that is
/// `CustomStringConvertible`, `TextOutputStreamable` or `CustomDebugStringConvertible`: the first
/// of these that it is. A class of yours that inherits from one of Foundation's, `NSError` say, has
/// to be the first of them: what it inherits shows all that it carries.
///
/// Of a value that does not say it itself nothing is called, its `customMirror` included, and its
/// payload is not looked at.
public enum ReportText {
  /// How a value is shown.
  ///
  /// - Parameter value: An action, a mutation, a lane's name.
  /// - Returns: What it says of itself, or ``name(of:)``.
  public static func text(of value: Any) -> String {
    guard let value = unwrapped(value) else { return "nil" }
    return ownText(of: value) ?? bareText(of: value) ?? name(of: value)
  }

  /// What kind of value it is: the name of an enum's case, else that of the type.
  ///
  /// It never depends on what the value carries, nor on what its author says of it, so there are
  /// few, and a metric can be labelled by it.
  ///
  /// - Parameter value: An action, a mutation.
  /// - Returns: The name.
  public static func name(of value: Any) -> String {
    guard let value = unwrapped(value) else { return "nil" }
    return caseName(of: value) ?? "\(type(of: value))"
  }

  /// How an error is shown: like any other value, but with the type's name before that of the case.
  ///
  /// Of the errors of the standard library and of Foundation, a `DecodingError` say, only that, and
  /// for those of Foundation the domain and the code: what they print may quote what was read.
  ///
  /// - Parameter error: The error.
  /// - Returns: What it says of itself, or ``name(ofError:)``.
  public static func text(ofError error: any Error) -> String {
    if let text = ownText(of: error) { return text }
    guard origin(of: error) == .foundation else { return name(ofError: error) }
    // What every error has, from the runtime or from Foundation; no code of an author's.
    return "\(name(ofError: error)) \(error._domain) \(error._code)"
  }

  /// What kind of error it is, like ``name(of:)``: `ServiceError.offline`.
  ///
  /// - Parameter error: The error.
  /// - Returns: The name.
  public static func name(ofError error: any Error) -> String {
    let type = "\(type(of: error as Any))"
    return caseName(of: error).map { "\(type).\($0)" } ?? type
  }
}

extension ReportText {
  /// Whether a value is of the standard library or of Foundation, and so may hold anything.
  package static func isForeign(_ value: Any) -> Bool { origin(of: value) != .author }

  /// Who has written a type.
  private enum Origin { case author, foundation, standardLibrary }

  private static func origin(of value: Any) -> Origin {
    let own = origin(named: type(of: value))
    guard own == .author, var child = type(of: value) as? AnyClass else { return own }
    // What it inherits describes it; a class without a parent says no more than its name.
    while let parent = _getSuperclass(child), _getSuperclass(parent) != nil {
      if origin(named: parent) != .author { return .foundation }
      child = parent
    }
    return own
  }

  private static func origin(named type: Any.Type) -> Origin {
    let name = String(reflecting: type)
    if name.hasPrefix("Swift.") { return .standardLibrary }
    // Classes that come from Objective-C have no module.
    let isForeign = name.hasPrefix("__C.") || !name.contains(".")
    return isForeign || name.hasPrefix("Foundation") ? .foundation : .author
  }

  /// What a type of an author's says of itself.
  private static func ownText(of value: Any) -> String? {
    if let value = value as? any CustomReactorReportable { return value.reportDescription }
    guard origin(of: value) == .author else { return nil }
    if let value = value as? any CustomStringConvertible { return value.description }
    if let value = value as? any TextOutputStreamable { return String(describing: value) }
    return (value as? any CustomDebugStringConvertible)?.debugDescription
  }

  /// Numbers, strings and such: types of the standard library that hold nothing of another type.
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

  /// Out of the optionals and the `AnyHashable`s around a value, which print what they hold.
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

/// An optional, whatever it holds.
private protocol OptionalValue {
  var content: Any? { get }
}

extension Optional: OptionalValue {
  fileprivate var content: Any? { map { $0 as Any } }
}
