import ReactorJournal

/// Its mutations are kept: in memory, or in a file that the next run begins with.
extension CounterReactor {
  /// What its journal is found by.
  public static let journalName = "counter"
  /// Raised when a mutation changes its shape.
  public static let journalVersion = 1

  /// What is of the moment is shown and not kept: after a kill, nothing is under way.
  public static func isTransient(_ mutation: Mutation) -> Bool {
    switch mutation {
    case .begin, .refuse: true
    case .end, .add, .set: false
    }
  }
}

/// How changes are taken back: by further ones.
extension CounterReactor {
  /// What takes a mutation back: what others have added meanwhile stays.
  public static func undoing(_ mutation: Mutation, in before: State) -> Mutation? {
    switch mutation {
    case .end(let amount, _), .add(let amount):
      // One that did not fit has changed nothing.
      amount == .min || before.value.addingReportingOverflow(amount).overflow ? nil : .add(-amount)
    case .set: .set(before.value)
    case .begin, .refuse: nil
    }
  }

  /// What is done once more does not begin first.
  public static func redoing(_ mutation: Mutation) -> Mutation {
    if case .end(let amount, _) = mutation { .add(amount) } else { mutation }
  }
}

/// In a snapshot, the value is all there is to a counter: the rest is of the moment.
extension CounterReactor.State: Codable {
  /// A counter at a value.
  public init(from decoder: any Decoder) throws {
    self.init()
    value = try decoder.singleValueContainer().decode(Int.self)
  }

  /// Writes the value.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(value)
  }
}
