/// The open work of every action, by its number.
///
/// A table with open addressing, in place of a dictionary, which needed about as many instructions
/// as the task of an effect: it hashes against attacks, and looks each number up anew. These
/// numbers are the pipeline's own and mostly follow one another, so that multiplying is enough to
/// lay them apart.
@usableFromInline
struct SettlingTable<
  Work: AnyObject & Sendable & Identifiable<ObjectIdentifier>
>: Sendable {
  /// The open work of one action; or a free place, where there is none.
  @usableFromInline
  struct Entry: Sendable {
    @usableFromInline var number: UInt64 = 0
    /// How many pieces, with or without something to cancel.
    @usableFromInline var pieces = 0
    /// What can be cancelled; nearly always one.
    @usableFromInline var first: Work?
    /// What few have: none of it, or one.
    @usableFromInline var rest: [Rest] = []
    /// How the action ends, if otherwise than by finishing: until then it is kept with its work.
    @usableFromInline var end: ActionEnd?

    @inlinable
    init() {}
  }

  @usableFromInline
  struct Rest: Sendable {
    /// What else can be cancelled.
    var works = IdentityList<Work>()
    /// Further actions that a hook made of this one.
    var twins: [UInt64] = []
  }

  /// As many as a power of two, or none.
  @usableFromInline var places: [Entry] = []
  @usableFromInline var count: UInt32 = 0
  /// What of a product says where an entry belongs.
  @usableFromInline var shift: UInt8 = 64
  /// How many places there are to be next, as a power of two: a little less than the last time.
  @usableFromInline var bits: UInt8 = 1

  @inlinable
  init() {}

  @inlinable var isEmpty: Bool { count == 0 }

  /// How many pieces of the action's work there are.
  @inlinable
  func pieces(of number: UInt64) -> Int {
    count == 0 ? 0 : place(of: number).map { places[$0].pieces } ?? 0
  }

  @inlinable
  func contains(_ number: UInt64) -> Bool { count != 0 && place(of: number) != nil }

  // MARK: Pieces

  /// One piece more.
  @inlinable
  mutating func begin(_ number: UInt64, _ work: Work?) {
    if (Int(count) + 1) * 4 > places.count * 3 { grow() }
    var place = firstPlace(of: number)
    while places[place].pieces != 0, places[place].number != number { place = next(place) }
    if places[place].pieces == 0 {
      places[place].number = number
      count += 1
    }
    places[place].pieces += 1
    guard let work else { return }
    if places[place].first == nil {
      places[place].first = work
    } else {
      add(work, to: place)
    }
  }

  /// One piece less.
  ///
  /// A piece without work that has gone with its reactor may be told of once more: then all that is
  /// left has work, and stays.
  ///
  /// - Returns: Whether it was the last one; and how the action ends then, if that was noted.
  @inlinable
  mutating func end(_ number: UInt64, _ work: Work?) -> (isLast: Bool, end: ActionEnd?) {
    guard count != 0, let place = place(of: number), work != nil || hasPlainPieces(place)
    else { return (false, nil) }
    places[place].pieces -= 1
    guard places[place].pieces != 0 else {
      let end = places[place].end.take()
      free(place)
      return (true, end)
    }
    if let work { remove(work, from: place) }
    return (false, nil)
  }

  @usableFromInline
  func hasPlainPieces(_ place: Int) -> Bool {
    let works = places[place].first == nil ? 0 : 1 + (places[place].rest.first?.works.count ?? 0)
    return places[place].pieces > works
  }

  // MARK: Ends

  /// How an action that has work ends, if that was noted.
  @inlinable
  func end(of number: UInt64) -> ActionEnd? {
    count == 0 ? nil : place(of: number).flatMap { places[$0].end }
  }

  /// Notes how an action ends.
  ///
  /// - Returns: Whether it has work, and nothing was noted before.
  @inlinable
  mutating func note(_ end: ActionEnd, of number: UInt64) -> Bool {
    guard count != 0, let place = place(of: number), places[place].end == nil else { return false }
    places[place].end = end
    return true
  }

  /// Takes out what was noted of actions that have work, in the order of their numbers.
  mutating func takeEnds() -> [(number: UInt64, end: ActionEnd)] {
    places.indices
      .compactMap { place in places[place].end.take().map { (places[place].number, $0) } }
      .sorted { $0.0 < $1.0 }
  }

  // MARK: Work

  @inlinable
  func works(of number: UInt64) -> Few<Work> {
    guard count != 0, let place = place(of: number) else { return Few() }
    return works(at: place)
  }

  /// Everybody's.
  @inlinable
  func works() -> [Work] { count == 0 ? [] : places.indices.flatMap { works(at: $0) } }

  @usableFromInline
  func works(at place: Int) -> Few<Work> {
    Few(places[place].first, places[place].rest.first?.works.all ?? [])
  }

  @usableFromInline
  mutating func add(_ work: Work, to place: Int) {
    changeRest(at: place) { $0.works.append(work) }
  }

  @usableFromInline
  mutating func remove(_ work: Work, from place: Int) {
    let isFirst = places[place].first === work
    guard !places[place].rest.isEmpty else {
      if isFirst { places[place].first = nil }
      return
    }
    if isFirst {
      places[place].first = places[place].rest[0].works.popFirst()
    } else {
      places[place].rest[0].works.remove(work.id)
    }
    if places[place].rest[0].works.isEmpty, places[place].rest[0].twins.isEmpty {
      places[place].rest = []
    }
  }

  private mutating func changeRest(at place: Int, _ change: (inout Rest) -> Void) {
    if places[place].rest.isEmpty { places[place].rest = [Rest()] }
    change(&places[place].rest[0])
  }

  /// What goes on though the reactor is gone: work that runs, and actions one of whose twins is
  /// open.
  ///
  /// - Parameters:
  ///   - others: The number whose pieces are all kept.
  ///   - isOpen: Whether an action that a hook has made is open.
  /// - Returns: It, without how any of them ends.
  func running(sparing others: UInt64, isOpen: (UInt64) -> Bool) -> SettlingTable {
    var running = SettlingTable()
    for place in places.indices where places[place].pieces != 0 {
      let number = places[place].number
      if number == others {
        for _ in 0..<places[place].pieces { running.begin(number, nil) }
      }
      for work in works(at: place) { running.begin(number, work) }
      for twin in twins(at: place) where isOpen(twin) {
        running.begin(number, nil)
        running.add(twin, to: number)
      }
    }
    return running
  }

  /// Whose work there is.
  var numbers: [UInt64] { places.compactMap { $0.pieces == 0 ? nil : $0.number } }

  // MARK: Twins

  @inlinable
  func twins(of number: UInt64) -> [UInt64] {
    guard count != 0, let place = place(of: number) else { return [] }
    return twins(at: place)
  }

  @usableFromInline
  func twins(at place: Int) -> [UInt64] { places[place].rest.first?.twins ?? [] }

  /// Adds to the twins of an action that has work.
  @usableFromInline
  mutating func add(_ twin: UInt64, to number: UInt64) {
    guard count != 0, let place = place(of: number) else { return }
    changeRest(at: place) { $0.twins.append(twin) }
  }

  // MARK: Places

  /// Where an action's entry belongs, if nobody else is there.
  @inlinable
  func firstPlace(of number: UInt64) -> Int {
    Int(truncatingIfNeeded: (number &* 0x9E37_79B9_7F4A_7C15) >> shift)
  }

  @inlinable
  func next(_ place: Int) -> Int { (place + 1) & (places.count - 1) }

  /// Where the action's entry is; only where there are places.
  @inlinable
  func place(of number: UInt64) -> Int? {
    var place = firstPlace(of: number)
    while places[place].pieces != 0 {
      if places[place].number == number { return place }
      place = next(place)
    }
    return nil
  }

  /// Frees a place, and closes the gap: whoever comes after it may have been kept from there.
  @inlinable
  mutating func free(_ place: Int) {
    var gap = place
    var place = next(gap)
    let mask = places.count - 1
    while places[place].pieces != 0 {
      let distance = (place - firstPlace(of: places[place].number)) & mask
      if distance >= (place - gap) & mask {
        places.swapAt(place, gap)
        gap = place
      }
      place = next(place)
    }
    places[gap].first = nil
    if !places[gap].rest.isEmpty { places[gap].rest = [] }
    count -= 1
    // Nobody's work is open: as a rule that is so for long.
    if count == 0 { reset() }
  }

  @inlinable
  mutating func reset() {
    bits = max(1, 63 - shift)
    places = []
    shift = 64
  }

  @inlinable @inline(never)
  mutating func grow() {
    var before = places
    if !before.isEmpty { bits = 65 - shift }
    // One by one, as repeating one would copy it each time, by code that knows nothing of its type.
    places = []
    places.reserveCapacity(1 << bits)
    for _ in 0..<(1 << bits) { places.append(Entry()) }
    shift = 64 - bits
    for old in before.indices where before[old].pieces != 0 {
      var place = firstPlace(of: before[old].number)
      while places[place].pieces != 0 { place = next(place) }
      swap(&before[old], &places[place])
    }
  }
}
