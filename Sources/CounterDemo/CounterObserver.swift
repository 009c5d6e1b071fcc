public import Reactor

/// Prints each step of the counter: what was taken, begun, reduced, kept, and which action caused
/// it.
///
/// For logs, metrics and traces of a program of yours there is `ReactorInstrumentation`; this is
/// all that an observer needs.
struct CounterObserver: ReactorObserver {
  let print: @Sendable (String) -> Void

  var needs: ObserverNeeds { [.steps, .causes] }

  func observe(_ step: ReactorStep) {
    let cause = step.action?.cause.map { ", caused by \($0)" } ?? ""
    print("observed: \(step)\(cause)")
  }
}

/// Numbers are no secret: reports and observers may show what actions and mutations carry.
extension CounterReactor.Action: CustomReactorReportable {
  /// As a person would type it.
  public var reportDescription: String {
    switch self {
    case .increase(let amount): "increase \(amount)"
    case .decrease(let amount): "decrease \(amount)"
    case .set(let value): "set \(value)"
    case .reset: "reset"
    }
  }
}

extension CounterReactor.Mutation: CustomReactorReportable {
  /// The case, and the numbers in it.
  public var reportDescription: String {
    switch self {
    case .begin: "begin"
    case .end(let amount, _): "end, adding \(amount)"
    case .add(let amount): "add \(amount)"
    case .set(let value): "set \(value)"
    case .refuse: "refuse"
    }
  }
}
