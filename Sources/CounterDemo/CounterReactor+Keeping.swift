import ReactorJournal

extension CounterReactor {
  /// What is of the moment is shown and not kept: after a kill, nothing is under way.
  static func isTransient(_ mutation: Mutation) -> Bool {
    switch mutation {
    case .begin, .refuse: true
    case .end, .add, .set: false
    }
  }

  /// What others have added meanwhile stays; a change that did not fit has changed nothing.
  static func undoing(_ mutation: Mutation, in before: State) -> Mutation? {
    switch mutation {
    case .end(let amount, _), .add(let amount):
      amount == .min || before.value.addingReportingOverflow(amount).overflow ? nil : .add(-amount)
    case .set: .set(before.value)
    case .begin, .refuse: nil
    }
  }

  /// What is done once more does not begin first.
  static func redoing(_ mutation: Mutation) -> Mutation {
    if case .end(let amount, _) = mutation { .add(amount) } else { mutation }
  }
}

/// In a snapshot, the value is all there is to a counter: the rest is of the moment.
extension CounterReactor.State: Codable {
  init(from decoder: any Decoder) throws {
    self.init()
    value = try Int(from: decoder)
  }

  func encode(to encoder: any Encoder) throws { try value.encode(to: encoder) }
}
