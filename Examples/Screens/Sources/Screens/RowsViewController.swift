// Never compiled here: there is no UIKit on Linux.
#if canImport(UIKit) && !os(watchOS)
  import ListChanges
  import Reactor
  import ReactorObservation
  import UIKit

  /// A list of rows of several kinds: the state has them in one array, and the collection view
  /// animates the differences.
  final class RowsViewController: ReactorViewController<ProfileReactor>, RowsView,
    UICollectionViewDataSource, UICollectionViewDelegate
  {
    typealias Row = ProfileReactor.Row

    private lazy var list = ListBinding(to: self)
    private lazy var collectionView = UICollectionView(
      frame: view.bounds,
      collectionViewLayout: UICollectionViewCompositionalLayout.list(
        using: UICollectionLayoutListConfiguration(appearance: .plain)))
    private let cell = UICollectionView.CellRegistration<UICollectionViewListCell, Row> {
      cell, _, row in
      var content = cell.defaultContentConfiguration()
      content.text =
        switch row {
        case .header(let title): title
        case .advertisement: "An advertisement"
        case .repository(_, let name): name
        case .loadMore: "Load more"
        }
      cell.contentConfiguration = content
    }

    override func viewDidLoad() {
      collectionView.autoresizingMask = [.flexibleWidth, .flexibleHeight]
      collectionView.dataSource = self
      collectionView.delegate = self
      view.addSubview(collectionView)
      super.viewDidLoad()
    }

    override func bind(reactor: ProfileReactor, subscriptions: ReactorSubscriptions) {
      subscriptions.observe(reactor.state.buffering(.newest).select(\.rows), in: list)
    }

    // MARK: Rows

    func update(_ changes: ListChanges<Row>, commit: @escaping @MainActor () -> Void) {
      collectionView.performBatchUpdates { [self] in
        commit()
        collectionView.deleteItems(at: changes.deletes.map(path))
        collectionView.insertItems(at: changes.inserts.map(path))
        for move in changes.moves {
          collectionView.moveItem(at: path(move.old), to: path(move.new))
        }
      }
      collectionView.reconfigureItems(at: changes.updates.map { path($0.new) })
    }

    func reload(because error: DuplicateIdentifier, commit: @escaping @MainActor () -> Void) {
      commit()
      collectionView.reloadData()
    }

    private func path(_ row: Int) -> IndexPath { IndexPath(item: row, section: 0) }

    // MARK: The data source and the delegate

    func collectionView(_ view: UICollectionView, numberOfItemsInSection section: Int) -> Int {
      list.rows.count
    }

    func collectionView(
      _ view: UICollectionView, cellForItemAt path: IndexPath
    ) -> UICollectionViewCell {
      view.dequeueConfiguredReusableCell(using: cell, for: path, item: list.rows[path.item])
    }

    func collectionView(_ view: UICollectionView, didSelectItemAt path: IndexPath) {
      switch list.rows[path.item] {
      case .loadMore: reactor?.send(.loadMore)
      case .advertisement: reactor?.send(.closeAdvertisement)
      case .header, .repository: break
      }
    }
  }
#endif
