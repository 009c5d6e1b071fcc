/// A pipeline to one who knows no type of reactor, and has a reply of it.
@usableFromInline
protocol AskedPipeline: AnyObject, Sendable {
  var identity: ReactorIdentity { get }
  /// What stands before an action.
  func obstacle(before number: UInt64) async -> AskObstacle
  /// What kind of action it is, if that is still known.
  func name(of number: UInt64) async -> String?
}

/// What stands before an action.
@usableFromInline
enum AskObstacle: Sendable {
  /// Nothing: it runs, or has ended, or will start by itself.
  case none
  /// It waits in its lane for one of these to end.
  case lane([UInt64])
}
