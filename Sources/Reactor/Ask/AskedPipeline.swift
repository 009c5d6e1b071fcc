/// A pipeline whose reactor's type is not known, as deadlock detection uses it.
protocol AskedPipeline: AnyObject, Sendable {
  var identity: ReactorIdentity { get }
  /// The actions of which one has to end before an action can start in its lane; none if the action
  /// runs, has ended, or will start by itself.
  func holders(before number: UInt64) async -> [UInt64]
  /// The kind of action, if that is still known.
  func name(of number: UInt64) async -> String?
}
