/// Destroys what stands behind a pointer whose type is not known, and gives its memory back.
///
/// A block that is made lazily stands behind a raw pointer, and an object of a generic class would
/// be released by code that looks its types up. So the block begins with one of these, made where
/// the types are known.
///
/// **Why it is sound**: the pointer is to a block whose first field is its disposer, which both
/// kinds of block state (`AnyThreadParts`, `IsolatedExtras`); fields stand in the order in which
/// they are declared. It is disposed of once, by the owner's `deinit` or by who takes it out.
///
/// **What would break it**: another field before the disposer; a pointer kept beyond the owner.
@usableFromInline
struct Disposer: Sendable {
  @usableFromInline let dispose: @Sendable (UnsafeMutableRawPointer) -> Void

  @inlinable
  init(_ dispose: @escaping @Sendable (UnsafeMutableRawPointer) -> Void) {
    self.dispose = dispose
  }

  /// The same for all blocks of a type: where the type is not known when this is compiled, each
  /// closure would have a context of its own.
  @inlinable
  static func shared<Owner>(
    of type: Owner.Type, _ dispose: @escaping @Sendable (UnsafeMutableRawPointer) -> Void
  ) -> Disposer { Disposers.shared(ObjectIdentifier(type), Disposer(dispose)) }

  /// - Parameter pointer: To a block that begins with its disposer.
  @inlinable
  static func dispose(_ pointer: UnsafeMutableRawPointer) {
    pointer.load(as: Disposer.self).dispose(pointer)
  }
}

/// The disposers of each type, made for the first block of it.
@usableFromInline
enum Disposers {
  private static let known = Guarded([ObjectIdentifier: Disposer]())

  @usableFromInline
  static func shared(_ type: ObjectIdentifier, _ first: Disposer) -> Disposer {
    known.withLock { known in
      if let disposer = known[type] { return disposer }
      known[type] = first
      return first
    }
  }
}
