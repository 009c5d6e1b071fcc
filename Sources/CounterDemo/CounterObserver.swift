import Reactor

/// Prints each step of the counter: actions taken, effects begun, mutations reduced and written,
/// each with the action that caused it.
///
/// For the logs, metrics and traces of your own program there is `ReactorInstrumentation`; this
/// shows all that an observer needs.
struct CounterObserver: ReactorObserver {
  let print: @Sendable (String) -> Void
  let needs: ObserverNeeds = [.steps, .causes]

  func observe(_ step: ReactorStep) {
    print("observed: \(step)\(step.action?.cause.map { ", caused by \($0)" } ?? "")")
  }
}

/// Numbers are not secret: reports and observers may show the values of actions and mutations.
extension CounterReactor.Action: CustomReactorReportable {
  var reportDescription: String {
    switch self {
    case .increase(let amount): "increase \(amount)"
    case .decrease(let amount): "decrease \(amount)"
    case .set(let value): "set \(value)"
    case .reset: "reset"
    case .endChange: "end change"
    }
  }
}

extension CounterReactor.Mutation: CustomReactorReportable {
  var reportDescription: String {
    switch self {
    case .begin: "begin"
    case .cancel: "cancel"
    case .end(let amount, _): "end, adding \(amount)"
    case .add(let amount): "add \(amount)"
    case .set(let value): "set \(value)"
    case .refuse: "refuse"
    }
  }
}
