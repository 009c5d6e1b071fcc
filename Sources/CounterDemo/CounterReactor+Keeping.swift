import ReactorJournal

extension CounterReactor {
  /// What is in progress is shown, but not journaled: after a kill, nothing is in progress.
  static func isTransient(_ mutation: Mutation) -> Bool {
    switch mutation {
    case .begin, .cancel, .refuse: true
    case .end, .add, .set: false
    }
  }

  /// The mutation that undoes another one: amounts added meanwhile remain.
  static func undoing(_ mutation: Mutation, in before: State) -> Mutation? {
    switch mutation {
    case .end(let amount, _), .add(let amount):
      // An amount that did not fit has changed nothing.
      amount == .min || before.value.addingReportingOverflow(amount).overflow ? nil : .add(-amount)
    case .set: .set(before.value)
    case .begin, .cancel, .refuse: nil
    }
  }

  /// A change that is redone has no beginning.
  static func redoing(_ mutation: Mutation) -> Mutation {
    if case .end(let amount, _) = mutation { .add(amount) } else { mutation }
  }
}

/// In a snapshot, a counter is its value: everything else is temporary.
extension CounterReactor.State: Codable {
  init(from decoder: any Decoder) throws {
    self.init()
    value = try Int(from: decoder)
  }

  func encode(to encoder: any Encoder) throws { try value.encode(to: encoder) }
}
