/// A pipeline to one who knows no type of reactor, and has a reply of it.
protocol AskedPipeline: AnyObject, Sendable {
  var identity: ReactorIdentity { get }
  /// The actions of which an action waits for one to end, in its lane; none where it runs, has
  /// ended, or will start by itself.
  func holders(before number: UInt64) async -> [UInt64]
  /// What kind of action it is, if that is still known.
  func name(of number: UInt64) async -> String?
}
