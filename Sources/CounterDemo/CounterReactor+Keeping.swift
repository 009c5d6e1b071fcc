import ReactorJournal

/// The mutations are journaled: in memory, or in a file that the next run begins with.
extension CounterReactor {
  /// The name of the journal.
  public static let journalName = "counter"
  /// Increase it when the encoding of a mutation changes.
  public static let journalVersion = 1

  /// What is in progress is shown, but not journaled: after a kill, nothing is in progress.
  public static func isTransient(_ mutation: Mutation) -> Bool {
    switch mutation {
    case .begin, .refuse: true
    case .end, .add, .set: false
    }
  }
}

/// How changes are undone: by further mutations.
extension CounterReactor {
  /// The mutation that undoes another one: amounts added meanwhile remain.
  public static func undoing(_ mutation: Mutation, in before: State) -> Mutation? {
    switch mutation {
    case .end(let amount, _), .add(let amount):
      // An amount that did not fit has changed nothing.
      amount == .min || before.value.addingReportingOverflow(amount).overflow ? nil : .add(-amount)
    case .set: .set(before.value)
    case .begin, .refuse: nil
    }
  }

  /// A change that is redone has no beginning.
  public static func redoing(_ mutation: Mutation) -> Mutation {
    if case .end(let amount, _) = mutation { .add(amount) } else { mutation }
  }
}

/// In a snapshot, a counter is its value: everything else is temporary.
extension CounterReactor.State: Codable {
  /// Decodes a counter with a value.
  public init(from decoder: any Decoder) throws {
    self.init()
    value = try decoder.singleValueContainer().decode(Int.self)
  }

  /// Encodes the value.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(value)
  }
}
