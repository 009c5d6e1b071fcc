// Never compiled here: there is no UIKit on Linux.
#if canImport(UIKit) && !os(watchOS)
  import Reactor
  import ReactorObservation
  import UIKit

  /// A view controller that is bound as soon as it has a reactor and its view is loaded.
  ///
  /// Subclasses override ``bind(reactor:subscriptions:)``, also those in a storyboard. Nothing else
  /// is to be called: the base class knows when the view is loaded.
  class ReactorViewController<Bound: Sendable>: UIViewController, DeferredReactorView {
    let deferredBinding = DeferredBinding<Bound>()

    override func viewDidLoad() {
      super.viewDidLoad()
      viewIsReady()
    }

    /// Creates the subscriptions; called once for each reactor that is assigned.
    func bind(reactor: Bound, subscriptions: ReactorSubscriptions) {}
  }

  /// A screen whose outlets are connected when its view is loaded.
  final class CounterViewController: ReactorViewController<ProfileReactor> {
    @IBOutlet private var label: UILabel!
    @IBOutlet private var button: UIButton!

    override func viewDidLoad() {
      button.addAction(
        UIAction { [weak self] _ in self?.reactor?.send(.increase) }, for: .primaryActionTriggered)
      super.viewDidLoad()
    }

    override func bind(reactor: ProfileReactor, subscriptions: ReactorSubscriptions) {
      subscriptions.observe(reactor.state.buffering(.newest).select(\.count)) { [weak self] count in
        self?.label.text = "\(count)"
      }
    }
  }
#endif
