import Reactor
import ReactorComposition

/// One action for three of a thousand reactors, beside sending it to the three by hand.
package enum Groups {
  /// A thousand members, three for each action.
  ///
  /// They are made once and stay: to let go of a thousand reactors takes more than to send to a few,
  /// and whether the process still comes to it before it ends is a matter of luck.
  private struct Crowd: Sendable {
    let members: [Counter]
    let group = ReactorGroup<Int>()
    private let byNumber: GroupIndex<Int, Int>

    init(of count: Int = 1000, isIndexed: Bool) {
      members = (0..<count).map { _ in Counter() }
      byNumber = group.index { $0 }
      for (index, member) in members.enumerated() {
        if isIndexed {
          byNumber.add(member, at: index / 3) { _ in .increase }
        } else {
          group.add(member) { $0 == index / 3 ? .increase : nil }
        }
      }
    }

    static let indexed = Crowd(isIndexed: true)
    static let asked = Crowd(isIndexed: false)
    static let few = Crowd(of: 3, isIndexed: true)
  }

  private static func broadcast(
    _ crowd: @autoclosure @escaping @Sendable () -> Crowd, settling: Bool
  ) -> Workload {
    { count in
      let crowd = crowd()
      // The last three, so that whoever is asked first does not want it.
      let number = crowd.members.count / 3 - 1
      let taking = crowd.members[3 * number..<3 * number + 3]
      var before: [Int] = []
      for member in taking {
        await member.send(.increase).settled
        before.append(await member.currentState.value)
      }
      let watch = Stopwatch()
      for _ in 0..<count {
        let receipt = crowd.group.send(number)
        if settling { await receipt.settled }
      }
      for member in taking { await member.send(.increase).settled }
      let reading = watch.reading
      for (member, before) in zip(taking, before) {
        check(await member.currentState.value, is: before + count + 1)
      }
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
  package static let threeOfThousand = broadcast(.indexed, settling: false)
  package static let threeOfThousandSettled = broadcast(.indexed, settling: true)
  /// Three of three.
  package static let threeOfThree = broadcast(.few, settling: false)
  /// All thousand are asked.
  package static let threeOfThousandAsked = broadcast(.asked, settling: false)
  package static let threeSends = byHand(settling: false)
  package static let threeSendsSettled = byHand(settling: true)
}
