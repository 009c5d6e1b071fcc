/// The numbers of actions that a hook made, which no code sent: above all numbers of actions that
/// were sent.
@usableFromInline
enum HookActionNumber {
  @inlinable static var first: UInt64 { 1 << 63 }
}
