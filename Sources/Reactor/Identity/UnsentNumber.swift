/// The numbers of actions that nobody sent, because a hook made them: beyond all that are ever
/// given to actions that were.
@usableFromInline
enum UnsentNumber {
  @inlinable static var first: UInt64 { 1 << 63 }
}
