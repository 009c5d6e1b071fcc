/// An accepted action and its context.
@usableFromInline
package struct Envelope<Action: Sendable>: Sendable {
  @usableFromInline let action: Action
  /// `nil` for nearly every action.
  @usableFromInline let context: ActionContext?

  @inlinable
  init(_ action: Action, _ context: ActionContext?) {
    self.action = action
    self.context = context
  }
}
