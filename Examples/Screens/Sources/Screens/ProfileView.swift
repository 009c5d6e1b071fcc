// Never compiled here: there is no SwiftUI on Linux.
#if canImport(SwiftUI)
  import Reactor
  import ReactorObservation
  import SwiftUI

  /// A screen in SwiftUI: it reads a mirror of the state, and writes through bindings.
  struct ProfileView: View {
    let profile: ObservedReactor<ProfileReactor>

    init(profile: ObservedReactor<ProfileReactor>) { self.profile = profile }

    var body: some View {
      Form {
        TextField("Name", text: profile.property(\.name) { .setName($0) }.binding)
        Stepper("\(profile.count)") {
          profile.send(.increase)
        } onDecrement: {
        }
        Section("Repositories") {
          ForEach(profile.state.rows) { row in
            RowView(row: row, send: { profile.send($0) })
          }
        }
      }
    }
  }

  /// One row of any kind.
  struct RowView: View {
    let row: ProfileReactor.Row
    let send: (ProfileReactor.Action) -> Void

    var body: some View {
      switch row {
      case .header(let title): Text(title).font(.headline)
      case .advertisement: Button("An advertisement") { send(.closeAdvertisement) }
      case .repository(_, let name): Text(name)
      case .loadMore: Button("Load more") { send(.loadMore) }
      }
    }
  }

  /// A view that is given one part of a reactor only.
  struct RepositoryCountView: View {
    let repositories: ObservedScope<ProfileReactor, ProfileReactor.Action, [String]>

    var body: some View { Text("\(repositories.state.count) repositories") }
  }

  #Preview {
    ProfileView(
      profile: ObservedReactor(
        ProfileReactor(), beginningWith: .init(name: "Ada", repositories: ["Reactor"])))
  }
#endif
