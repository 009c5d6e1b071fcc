import GRDB

/// Places: the tasks of a section stand from 0, without gaps.
///
/// Only those between the old place and the new one move: to the neighbouring place that is one
/// task, however long the list is.
extension TaskStore {
  /// Takes a task to a position, which it then has, perhaps of another section.
  func place(
    _ id: TaskItem.ID, in section: TaskSection.ID, at position: Int
  ) throws {
    guard let task = try task(id) else { return }
    guard task.sectionID == section else {
      try shift(task.sectionID, from: task.position + 1, by: -1)
      try shift(section, from: position, by: 1)
      return try run(
        "UPDATE tasks SET sectionID = ?, position = ? WHERE id = ?", [section, position, id])
    }
    if task.position < position {
      try shift(section, from: task.position + 1, upTo: position + 1, by: -1)
    } else {
      try shift(section, from: position, upTo: task.position, by: 1)
    }
    try run("UPDATE tasks SET position = ? WHERE id = ?", [position, id])
  }

  /// Closes the gaps that the tasks of a step have left.
  func closeGaps(of images: StepImages) throws {
    let gaps = try Row.fetchCursor(
      db.cachedStatement(sql: "\(Self.gaps) ORDER BY sectionID, position"),
      arguments: images.arguments)
    while let gap = try gaps.next() {
      let (position, ordinal) = try (gap.count(atIndex: 1), gap.count(atIndex: 2))
      let next = try gap.hasNull(atIndex: 3) ? nil : gap.count(atIndex: 3)
      try shift(gap[0], from: position + 1, upTo: next ?? .max, by: -ordinal)
    }
  }

  /// Makes room for the tasks of a step: the later first, so that none moves twice.
  func openGaps(of images: StepImages) throws {
    let gaps = try Row.fetchCursor(
      db.cachedStatement(sql: "\(Self.gaps) ORDER BY sectionID, position DESC"),
      arguments: images.arguments)
    while let gap = try gaps.next() {
      let (position, ordinal) = try (gap.count(atIndex: 1), gap.count(atIndex: 2))
      let next = try gap.hasNull(atIndex: 3) ? nil : gap.count(atIndex: 3)
      let end = next.map { $0 - ordinal } ?? .max
      try shift(gap[0], from: position - ordinal + 1, upTo: end, by: ordinal)
    }
  }

  /// Where the tasks of a step stand, the how manieth of the step in its section each is, and where
  /// the next one stands.
  private static let gaps = """
    SELECT sectionID, position,
      row_number() OVER (PARTITION BY sectionID ORDER BY position),
      lead(position) OVER (PARTITION BY sectionID ORDER BY position)
    FROM stepTasks WHERE stepID = ? AND isAfter = ?
    """

  private func shift(
    _ section: TaskSection.ID, from start: Int, upTo end: Int = .max, by distance: Int
  ) throws {
    guard start < end else { return }
    try run(
      """
      UPDATE tasks SET position = position + ?
        WHERE sectionID = ? AND position >= ? AND position < ?
      """, [distance, section, start, end])
  }
}
