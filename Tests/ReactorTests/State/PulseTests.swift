import Reactor
import Testing
import TestLimits

@Suite(.bounded) struct PulseTests {
  private struct Counter: Equatable { @Pulse var value = 0 }

  @Test func `a pulse that was never assigned has ticket 0`() {
    #expect(Counter().$value.ticket == 0)
  }

  @Test func `each assignment is newer, an equal value too; reading is not`() {
    var counter = Counter()
    var last = counter.$value
    for _ in 0..<3 {
      counter.value = 7
      #expect(counter.value == 7)
      #expect(counter.$value.isNewer(than: last))
      last = counter.$value
      #expect(!counter.$value.isNewer(than: last))
    }
  }

  @Test func `a change in place fires`() {
    var counter = Counter()
    let before = counter.$value
    counter.value += 1
    #expect(counter.$value.isNewer(than: before))
  }

  @Test func `a copy keeps its ticket`() {
    var counter = Counter()
    counter.value = 1
    let copy = counter
    counter.value = 2
    #expect(counter.$value.isNewer(than: copy.$value))
    #expect(!copy.$value.isNewer(than: counter.$value))
  }

  @Test func `a pulse of a new state is newer than one of an older state`() {
    var old = Counter()
    old.value = 1
    var new = Counter()
    new.value = 1
    #expect(new.$value.isNewer(than: old.$value))
  }

  @Test func `equality is the values'`() {
    var (one, other) = (Counter(), Counter())
    one.value = 5
    #expect(one != other)
    other.value = 5
    #expect(one == other)
  }

  @Test func `dumped, it shows its value and no ticket`() {
    var text = ""
    var counter = Counter()
    counter.value = 3
    dump(counter, to: &text, name: "counter")
    #expect(text.hasSuffix("- _value: 3\n"))
    #expect("\(counter)" == "Counter(_value: 3)")
  }
}
