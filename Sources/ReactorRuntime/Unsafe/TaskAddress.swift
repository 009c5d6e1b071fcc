/// Where a task lies in memory: enough to recognise it, and nothing else is done with it.
///
/// **Why it is sound**: the standard library's handle of the current task is one pointer. It is
/// read as a number while the task runs, which is only ever compared with another. Two tasks that
/// are alive at the same time have different numbers; what keeps one must forget it before its task
/// ends, as `end()` of `HookChannel` does.
///
/// **What would break it**: a handle that is more than a pointer. The size is checked, and where it
/// differs, no task is ever recognised, which costs speed and nothing else.
@usableFromInline
package enum TaskAddress {
  /// The current task's; never 0; `nil` outside a task.
  @inlinable package static var current: UInt? {
    guard MemoryLayout<UnsafeCurrentTask>.size == MemoryLayout<UInt>.size else { return nil }
    return withUnsafeCurrentTask { $0.map { unsafeBitCast($0, to: UInt.self) } }
  }
}
