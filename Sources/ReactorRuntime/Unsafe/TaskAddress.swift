/// The address of a task in memory, used only to recognise the task.
///
/// **Why it is sound**: the standard library's handle of the current task is one pointer. It is
/// read as a number while the task runs, and that number is only ever compared with another. Two
/// tasks that are alive at the same time have different numbers. Code that keeps a number must
/// forget it before its task ends, as `end()` of `HookChannel` does.
///
/// **What would break it**: a handle that is larger than a pointer. The size is checked: if it
/// differs, no task is ever recognised, which costs speed and nothing else.
@usableFromInline
package enum TaskAddress {
  /// The address of the current task, never 0; `nil` outside a task.
  @inlinable package static var current: UInt? {
    guard MemoryLayout<UnsafeCurrentTask>.size == MemoryLayout<UInt>.size else { return nil }
    return withUnsafeCurrentTask { $0.map { unsafeBitCast($0, to: UInt.self) } }
  }
}
