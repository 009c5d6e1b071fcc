/// Which tasks a list shows; always in the order of the sections, and of the positions within.
struct TaskQuery: Hashable, Sendable {
  /// Open tasks, done ones, or both.
  enum Filter: String, CaseIterable, Sendable {
    case open, done, all
  }

  /// One section alone; `nil` for all.
  var section: TaskSection.ID?
  var filter = Filter.all
  /// Words, each of which begins a word of the title or the memo; empty for no search.
  var search = ""
}

/// Consecutive rows of a list, read at one moment.
struct TaskPage: Equatable, Sendable {
  /// The tasks, in order.
  var tasks: [TaskItem]
  /// The row of the first of them, from 0.
  var offset: Int
  /// How many tasks the whole list has.
  var total: Int
  /// Every section that has tasks, in order; and the one that the query names, if any.
  var sections: [TaskSection]
  /// The state of the database that this shows: what is newer has a higher one.
  var revision: Int64
}
