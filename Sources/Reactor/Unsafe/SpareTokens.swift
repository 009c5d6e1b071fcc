public import Synchronization

/// Reply tokens that nobody has any more, for those who ask next: a few for the whole process.
///
/// An ask that is answered at once needs no new token then; and no reactor keeps one for an ask
/// that may never come.
///
/// **Why it is sound**: the places are made once and stay. A token goes in with its one reference,
/// by an atomic exchange, and comes out with it by another, so each has one owner at any time.
///
/// **What would break it**: a token put in that somebody still has a copy of; see
/// ``PipelineCore/closeAsked(_:_:isOurs:)``.
@usableFromInline
enum SpareTokens {
  /// One place to a line of the cache, so that threads that ask different reactors seldom meet.
  @usableFromInline
  struct Place: ~Copyable {
    @usableFromInline let token = Atomic<Unmanaged<ReplyToken>?>(nil)
    private let rest: (Int, Int, Int, Int, Int, Int, Int) = (0, 0, 0, 0, 0, 0, 0)

    @inlinable
    init() {}
  }

  /// Guard: written once, before anybody has it; the places are atomic.
  @usableFromInline nonisolated(unsafe) static let places: UnsafeMutablePointer<Place> = {
    let places = UnsafeMutablePointer<Place>.allocate(capacity: count)
    for index in 0..<count { (places + index).initialize(to: Place()) }
    return places
  }()

  /// A power of two.
  @inlinable static var count: Int { 16 }

  /// Where those look who ask the reactor of this core.
  @inlinable
  static func place(of core: AnyObject) -> UnsafeMutablePointer<Place> {
    places + Int(UInt(bitPattern: Unmanaged.passUnretained(core).toOpaque()) / 64) & (count - 1)
  }

  @inlinable
  static func take(for core: AnyObject) -> ReplyToken? {
    place(of: core).pointee.token.exchange(nil, ordering: .acquiringAndReleasing)?
      .takeRetainedValue()
  }

  @inlinable
  static func keep(_ token: ReplyToken, for core: AnyObject) {
    place(of: core).pointee.token.exchange(
      Unmanaged.passRetained(token), ordering: .acquiringAndReleasing)?.release()
  }
}
