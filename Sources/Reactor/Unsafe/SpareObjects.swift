import Synchronization

/// Objects that nobody has any more, for those who need one next: a few, and only so many.
///
/// **Why it is sound**: the places are made once and stay for as long as this. An object goes in
/// with its one reference, by an atomic exchange, and comes out with it by another, so each has one
/// owner at any time.
///
/// **What would break it**: an object put in that somebody still has a reference to.
struct SpareObjects<Object: AnyObject & Sendable>: ~Copyable, Sendable {
  /// One place to a line of the cache, so that threads that look in different ones do not meet.
  struct Place: ~Copyable {
    let object = Atomic<Unmanaged<Object>?>(nil)
    private let rest: (Int, Int, Int, Int, Int, Int, Int) = (0, 0, 0, 0, 0, 0, 0)

    init() {}
  }

  /// Guard: written once, before anybody has it; the places are atomic.
  nonisolated(unsafe) let places: UnsafeMutablePointer<Place>

  init() {
    places = .allocate(capacity: Self.count)
    for index in 0..<Self.count { (places + index).initialize(to: Place()) }
  }

  deinit {
    for index in 0..<Self.count { _ = take(at: places + index) }
    places.deinitialize(count: Self.count)
    places.deallocate()
  }

  /// A power of two.
  static var count: Int { 16 }

  /// Where those look who need one for this object.
  func place(for owner: AnyObject) -> UnsafeMutablePointer<Place> {
    let address = UInt(bitPattern: Unmanaged.passUnretained(owner).toOpaque())
    return places + Int(address / 64) & (Self.count - 1)
  }

  func take(for owner: AnyObject) -> Object? { take(at: place(for: owner)) }

  func take(at place: UnsafeMutablePointer<Place>) -> Object? {
    place.pointee.object.exchange(nil, ordering: .acquiringAndReleasing)?.takeRetainedValue()
  }

  func keep(_ object: Object, for owner: AnyObject) {
    place(for: owner).pointee.object.exchange(
      Unmanaged.passRetained(object), ordering: .acquiringAndReleasing)?.release()
  }
}
