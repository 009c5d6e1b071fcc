import Reactor

/// One action for three of a thousand reactors, beside sending it to the three by hand.
package enum Groups {
  /// Whom an action is for, and whether somebody waits.
  private static func broadcast(isIndexed: Bool, settling: Bool) -> Workload {
    { count in
      let members = (0..<1000).map { _ in Counter() }
      let group = ReactorGroup<Int>()
      let byNumber = group.index { $0 }
      for (index, member) in members.enumerated() {
        if isIndexed {
          byNumber.add(member, at: index / 3) { _ in .increase }
        } else {
          group.add(member) { $0 == index / 3 ? .increase : nil }
        }
      }
      for member in members { await member.send(.increase).settled }
      let watch = Stopwatch()
      for _ in 0..<count {
        let receipt = group.send(7)
        if settling { await receipt.settled }
      }
      for member in members[21...23] { await member.send(.increase).settled }
      let reading = watch.reading
      for member in members[21...23] { check(await member.currentState.value, is: count + 2) }
      return reading
    }
  }

  private static func byHand(settling: Bool) -> Workload {
    { count in
      let members = (0..<3).map { _ in Counter() }
      for member in members { await member.send(.increase).settled }
      let watch = Stopwatch()
      for _ in 0..<count {
        let receipts = (
          members[0].send(.increase), members[1].send(.increase), members[2].send(.increase)
        )
        if settling {
          await receipts.0.settled
          await receipts.1.settled
          await receipts.2.settled
        }
      }
      for member in members { await member.send(.increase).settled }
      let reading = watch.reading
      for member in members { check(await member.currentState.value, is: count + 2) }
      return reading
    }
  }

  /// Found by an index.
  package static let threeOfThousand = broadcast(isIndexed: true, settling: false)
  package static let threeOfThousandSettled = broadcast(isIndexed: true, settling: true)
  /// All thousand are asked.
  package static let threeOfThousandAsked = broadcast(isIndexed: false, settling: false)
  package static let threeSends = byHand(settling: false)
  package static let threeSendsSettled = byHand(settling: true)
}
