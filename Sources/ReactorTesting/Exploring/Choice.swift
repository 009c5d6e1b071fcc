import Reactor

/// Describes the values from which an exploration chooses: actions, their payloads, answers of a
/// service.
///
/// ```swift
/// Choice<SearchReactor.Action>.oneOf(
///   .of(.clear, .retry),
///   .from(.text()) { .search($0) },
///   .from(.int(0...9), .bool) { .select($0, isOpen: $1) })
/// ```
///
/// The first value is the tamest: when a failure is shrunk, each choice moves towards it. It has no
/// state; a value depends on nothing but the choices of the run.
public struct Choice<Value: Sendable>: Sendable {
  /// Whether there is no value to choose; ``oneOf(_:)`` then leaves it out.
  public let isEmpty: Bool

  let draw: @Sendable (ChoiceDrawer) -> Value

  init(isEmpty: Bool = false, _ draw: @escaping @Sendable (ChoiceDrawer) -> Value) {
    (self.isEmpty, self.draw) = (isEmpty, draw)
  }

  // MARK: Values

  /// Returns a choice of some values.
  ///
  /// - Parameter values: The values, the tamest first.
  /// - Returns: The choice.
  public static func of(_ values: Value...) -> Choice { element(of: values) }

  /// Returns a choice of the elements of an array: of the ids in a state, for example.
  ///
  /// It chooses an index, so that a shrunk run stays meaningful. For an empty array the choice is
  /// empty.
  ///
  /// - Parameter values: The elements, the tamest first.
  /// - Returns: The choice.
  public static func element(of values: [Value]) -> Choice {
    Choice(isEmpty: values.isEmpty) { drawer in
      precondition(!values.isEmpty, "an empty Choice has no value; check isEmpty before")
      return values[drawer.alternative(of: values.count)]
    }
  }

  /// Returns a choice of the values of several choices, each with the same probability.
  ///
  /// - Parameter choices: The choices, the tamest first; empty ones are left out.
  /// - Returns: The choice.
  public static func oneOf(_ choices: Choice...) -> Choice {
    weighted(choices.map { (1, $0) })
  }

  /// Returns a choice of the values of several choices, with different probabilities.
  ///
  /// ```swift
  /// .weighted((9, .from(.text()) { .type($0) }), (1, .of(.clear)))
  /// ```
  ///
  /// - Parameter choices: For each choice, how often it is taken compared with the others; at least
  ///   1. The tamest is first.
  /// - Returns: The choice.
  public static func weighted(_ choices: (weight: Int, choice: Choice)...) -> Choice {
    weighted(choices)
  }

  private static func weighted(_ all: [(weight: Int, choice: Choice)]) -> Choice {
    let choices = all.filter { !$0.choice.isEmpty }
    let places = choices.enumerated().flatMap { place, choice in
      Array(repeating: place, count: max(choice.weight, 1))
    }
    let drawn = choices.map(\.choice)
    return Choice(isEmpty: drawn.isEmpty) { drawer in
      precondition(!drawn.isEmpty, "an empty Choice has no value; check isEmpty before")
      return drawn[places[drawer.alternative(of: places.count)]].draw(drawer)
    }
  }

  // MARK: Combining

  /// Returns a choice of values that are made of others: an action of its payload.
  ///
  /// - Parameters:
  ///   - part: The choice of the part.
  ///   - make: Makes a value; called once for each.
  /// - Returns: The choice; empty if that of the part is.
  public static func from<Part: Sendable>(
    _ part: Choice<Part>, _ make: @escaping @Sendable (Part) -> Value
  ) -> Choice {
    part.map(make)
  }

  /// Returns a choice of values that are made of two others.
  ///
  /// - Parameters:
  ///   - first: The choice of the first part.
  ///   - second: The choice of the second part.
  ///   - make: Makes a value; called once for each.
  /// - Returns: The choice; empty if one of the others is.
  public static func from<First: Sendable, Second: Sendable>(
    _ first: Choice<First>, _ second: Choice<Second>,
    _ make: @escaping @Sendable (First, Second) -> Value
  ) -> Choice {
    first.and(second).map { make($0.0, $0.1) }
  }

  /// Returns a choice of values that are made of three others.
  ///
  /// - Parameters:
  ///   - first: The choice of the first part.
  ///   - second: The choice of the second part.
  ///   - third: The choice of the third part.
  ///   - make: Makes a value; called once for each.
  /// - Returns: The choice; empty if one of the others is.
  public static func from<First: Sendable, Second: Sendable, Third: Sendable>(
    _ first: Choice<First>, _ second: Choice<Second>, _ third: Choice<Third>,
    _ make: @escaping @Sendable (First, Second, Third) -> Value
  ) -> Choice {
    first.and(second).and(third).map { make($0.0.0, $0.0.1, $0.1) }
  }

  /// Returns a choice of other values, made of these.
  ///
  /// - Parameter transform: Makes a value; called once for each.
  /// - Returns: The choice.
  public func map<Other: Sendable>(
    _ transform: @escaping @Sendable (Value) -> Other
  ) -> Choice<Other> {
    Choice<Other>(isEmpty: isEmpty) { [draw] drawer in
      transform(draw(drawer))
    }
  }

  /// Returns a choice whose second part depends on the first.
  ///
  /// - Parameter transform: Returns the choice for a value; it must not be empty.
  /// - Returns: The choice.
  public func flatMap<Other: Sendable>(
    _ transform: @escaping @Sendable (Value) -> Choice<Other>
  ) -> Choice<Other> {
    Choice<Other>(isEmpty: isEmpty) { [draw] drawer in
      transform(draw(drawer)).draw(drawer)
    }
  }

  /// Returns a choice of pairs.
  ///
  /// - Parameter other: The choice of the second value.
  /// - Returns: The choice.
  public func and<Other: Sendable>(_ other: Choice<Other>) -> Choice<(Value, Other)> {
    Choice<(Value, Other)>(isEmpty: isEmpty || other.isEmpty) { [draw] drawer in
      let first = draw(drawer)
      return (first, other.draw(drawer))
    }
  }

  /// A choice of `nil` and these values.
  public var optional: Choice<Value?> {
    Choice<Value?> { [draw, isEmpty] drawer in
      guard !isEmpty, drawer.below(2) == 1 else { return nil }
      return draw(drawer)
    }
  }

  /// Returns a choice of arrays of these values.
  ///
  /// - Parameter count: How many elements; the fewest are the tamest.
  /// - Returns: The choice.
  public func array(count: ClosedRange<Int> = 0...4) -> Choice<[Value]> {
    Choice<[Value]> { [draw, isEmpty] drawer in
      let size = count.lowerBound + drawer.below(count.count)
      return isEmpty ? [] : (0..<size).map { _ in draw(drawer) }
    }
  }
}

extension Choice where Value: CaseIterable {
  /// A choice of all cases, in their order.
  public static var cases: Choice { element(of: Array(Value.allCases)) }
}

extension Choice where Value == Bool {
  /// A choice of false and true.
  public static var bool: Choice { Choice { $0.below(2) == 1 } }
}

extension Choice where Value == Int {
  /// Returns a choice of whole numbers; the one nearest to zero is the tamest.
  ///
  /// - Parameter range: The numbers, at most 2³² of them.
  /// - Returns: The choice.
  public static func int(_ range: ClosedRange<Int>) -> Choice {
    let (low, high) = (range.lowerBound, range.upperBound)
    let tamest = min(max(0, low), high)
    // Alternately above and below the tamest, as long as there are numbers on both sides.
    let below = tamest - low
    let above = high - tamest
    let both = min(below, above)
    return Choice { drawer in
      let number = drawer.below(range.count)
      if number <= 2 * both {
        return number.isMultiple(of: 2) ? tamest - number / 2 : tamest + (number + 1) / 2
      }
      return above > below ? tamest + number - both : tamest - number + both
    }
  }
}

extension Choice where Value == String {
  /// Returns a choice of short texts; the empty one is the tamest.
  ///
  /// - Parameters:
  ///   - count: How many characters.
  ///   - letters: The characters, the tamest first.
  /// - Returns: The choice.
  public static func text(count: ClosedRange<Int> = 0...3, of letters: String = "abc") -> Choice {
    Choice<Character>.element(of: Array(letters)).array(count: count).map { String($0) }
  }
}

extension Choice where Value == Duration {
  /// Returns a choice of durations, in whole milliseconds; the shortest is the tamest.
  ///
  /// - Parameter range: The milliseconds.
  /// - Returns: The choice.
  public static func milliseconds(_ range: ClosedRange<Int>) -> Choice {
    Choice<Int>.int(range).map { .milliseconds($0) }
  }
}

/// Draws the numbers of one track.
struct ChoiceDrawer: Sendable {
  let source: ChoiceSource
  let track: ChoiceSource.Track

  func below(_ bound: Int) -> Int { source.draw(track, below: bound) }

  func alternative(of count: Int) -> Int { source.drawAlternative(track, of: count) }
}
