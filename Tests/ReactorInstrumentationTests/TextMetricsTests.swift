import CoreMetrics
import Reactor
import ReactorInstrumentation
import TestLimits
import TestSupport
import Testing

/// Metrics as the text that Prometheus reads.
@Suite(.bounded) struct TextMetricsTests {
  let metrics = TextMetrics()

  @Test func `a counter has a line for each combination of labels, under one heading`() {
    for (action, times) in [("open", 2), ("close", 1)] {
      Counter(label: "door.uses", dimensions: [("action", action)], factory: metrics)
        .increment(by: times)
    }
    Counter(label: "door.uses", dimensions: [("action", "open")], factory: metrics).increment()
    #expect(
      metrics.text == """
        # TYPE door_uses_total counter
        door_uses_total{action="close"} 1
        door_uses_total{action="open"} 3

        """)
  }

  @Test func `a meter goes up and down, and is set`() {
    let meter = Meter(label: "open", factory: metrics)
    meter.increment(by: 3)
    meter.decrement()
    #expect(metrics.text == "# TYPE open gauge\nopen 2\n")
    meter.set(7.5)
    #expect(metrics.text.hasSuffix("open 7.5\n"))
  }

  @Test func `recorders and timers have their count, sum and maximum`() {
    let recorder = Recorder(label: "depth", aggregate: true, factory: metrics)
    for depth in [3, 5, 1] { recorder.record(depth) }
    Timer(label: "took", factory: metrics).recordNanoseconds(250_000_000)
    #expect(
      metrics.text == """
        # TYPE depth summary
        depth_count 3
        depth_sum 9
        depth_max 5
        # TYPE took_seconds summary
        took_seconds_count 1
        took_seconds_sum 0.25
        took_seconds_max 0.25

        """)
  }

  @Test func `no value of a label breaks a line`() {
    Gauge(label: "1st", dimensions: [("na me", "a\"b\\c\nd")], factory: metrics).record(1)
    #expect(metrics.text == "# TYPE _1st gauge\n_1st{na_me=\"a\\\"b\\\\c\\nd\"} 1\n")
  }

  @Test(arguments: [("q\"", "q\\\""), ("b\\", "b\\\\")])
  func `a combining mark after a character to be escaped does not hide it`(
    value: String, escaped: String
  ) {
    let mark = "\u{301}"
    Counter(label: "uses", dimensions: [("by", value + mark)], factory: metrics).increment()
    let text = "# TYPE uses_total counter\nuses_total{by=\"\(escaped)\(mark)\"} 1\n"
    #expect(Array(metrics.text.utf8) == Array(text.utf8), "\(metrics.text)")
  }

  @Test func `a metric that is destroyed is removed`() {
    let counter = Counter(label: "uses", factory: metrics)
    counter.increment()
    counter.destroy()
    #expect(metrics.text.isEmpty)
  }

  @Test func `the text contains metrics of reactors`() async {
    let reactor = ScriptedReactor { _, _ in .empty }
    let registration = reactor.addObserver(MetricsObserver(metrics))
    await reactor.send(1).settled
    registration.remove()
    let line = #"reactor_actions_total{reactor="ScriptedReactor",action="Int"} 1"#
    #expect(metrics.text.contains(line), "\(metrics.text)")
  }
}
