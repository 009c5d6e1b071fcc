import Reactor

/// Prints each step of the counter: what was taken, begun, reduced and kept, and its cause.
struct CounterObserver: ReactorObserver {
  let print: @Sendable (String) -> Void
  let needs: ObserverNeeds = [.steps, .causes]

  func observe(_ step: ReactorStep) {
    print("observed: \(step)\(step.action?.cause.map { ", caused by \($0)" } ?? "")")
  }
}

/// Numbers are no secret: reports and observers may show what actions and mutations carry.
extension CounterReactor.Action: CustomReactorReportable {
  var reportDescription: String {
    switch self {
    case .increase(let amount): "increase \(amount)"
    case .decrease(let amount): "decrease \(amount)"
    case .set(let value): "set \(value)"
    case .reset: "reset"
    }
  }
}

extension CounterReactor.Mutation: CustomReactorReportable {
  var reportDescription: String {
    switch self {
    case .begin: "begin"
    case .end(let amount, _): "end, adding \(amount)"
    case .add(let amount): "add \(amount)"
    case .set(let value): "set \(value)"
    case .refuse: "refuse"
    }
  }
}
