/// What is to be done once the lock has been let go, and what is to be let go then.
@usableFromInline
struct GroupErrands {
  private var errands: [() -> Void] = []

  @usableFromInline
  init() {}

  mutating func add(_ errand: @escaping () -> Void) { errands.append(errand) }

  @usableFromInline
  func run() {
    for errand in errands { errand() }
  }
}
