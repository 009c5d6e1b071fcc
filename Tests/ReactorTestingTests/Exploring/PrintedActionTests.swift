import Foundation
import Reactor
import ReactorTesting
import Testing
import TestLimits

/// Actions in the test that a failure prints.
@Suite(.bounded) struct PrintedActionTests {
  private func source(of action: Printed.Action) async -> String? {
    let texts = await texts {
      await explore(Printed.self, actions: .of(action)) { run in
        run.finally("nothing is sent") { _ in run.actions.isEmpty }
        return Printed()
      }
    }
    return texts.first?.split(separator: "\n").map { $0.drop { $0 == " " } }
      .first { $0.hasPrefix(".send(") }.map { String($0.dropFirst(6).dropLast()) }
  }

  @Test func `cases with and without payloads`() async {
    #expect(await source(of: .plain) == ".plain")
    #expect(await source(of: .text("a \"b\"\n")) == #".text("a \"b\"\n")"#)
    #expect(await source(of: .labelled(to: 3)) == ".labelled(to: 3)")
    #expect(await source(of: .several(1, isOpen: true, 0.5)) == ".several(1, isOpen: true, 0.5)")
    #expect(await source(of: .inner(.nested(nil))) == ".inner(.nested(nil))")
    #expect(await source(of: .inner(.nested(-2))) == ".inner(.nested(-2))")
  }

  @Test func `structs, lists and times`() async {
    #expect(
      await source(of: .item(Item(name: "tea", tags: ["a", "b"], times: [:])))
        == #".item(Item(name: "tea", tags: ["a", "b"], times: [:]))"#)
    #expect(
      await source(of: .item(Item(name: "", tags: [], times: ["a": .milliseconds(1500)])))
        == #".item(Item(name: "", tags: [], times: ["a": .milliseconds(1500)]))"#)
    let id = UUID(uuidString: "00000000-0000-0000-0000-00000000000A")
    #expect(
      await source(of: .id(id ?? UUID()))
        == #".id(UUID(uuidString: "00000000-0000-0000-0000-00000000000A")!)"#)
  }
}

private struct Item: Equatable {
  var name: String
  var tags: [String]
  var times: [String: Duration]
}

private actor Printed: Reactor {
  enum Inner { case nested(Int?) }
  enum Action {
    case plain, text(String), labelled(to: Int), several(Int, isOpen: Bool, Double), inner(Inner)
    case item(Item), id(UUID)
  }

  let initialState = 0
  let pipeline = Pipeline()

  func mutate(action: Action) -> MutationStream<Int> { .just(1) }

  func reduce(state: inout Int, mutation: Int) { state += mutation }
}
