import Foundation
import Readline

@testable import TaskListDemo
@testable import TaskStore
@testable import CommandShell

/// Tasks and sections that need little to be said about them.
enum Sample {
  /// Noon of a day in May, in a calendar that knows no summer time.
  static let times = TimeLabel(now: date(year: 2024, month: 5, day: 2, hour: 12), calendar: utc)

  static func task(
    _ title: String, memo: String? = nil, section: Int64 = 1, done: Date? = nil
  ) -> TaskItem {
    TaskItem(
      id: 0, sectionID: section, title: title, memo: memo, createdAt: .distantPast,
      completedAt: done, position: 0)
  }

  static func section(
    _ name: String, id: Int64 = 1, open: Int = 0, done: Int = 0
  ) -> TaskSection {
    TaskSection(id: id, name: name, position: Int(id) - 1, openCount: open, doneCount: done)
  }

  static func page(
    _ tasks: [TaskItem], offset: Int = 0, total: Int? = nil,
    sections: [TaskSection] = [section("Inbox", open: 2, done: 1)]
  ) -> TaskPage {
    TaskPage(
      tasks: tasks, offset: offset, total: total ?? tasks.count, sections: sections, revision: 1)
  }

  static func date(year: Int, month: Int, day: Int, hour: Int = 9, minute: Int = 5) -> Date {
    let components = DateComponents(
      year: year, month: month, day: day, hour: hour, minute: minute)
    return utc.date(from: components) ?? .distantPast
  }

  private static let utc: Calendar = {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = .gmt
    return calendar
  }()
}

extension [StyledText] {
  /// What is read, without the blanks at the ends of the rows.
  var plain: [String] {
    map { row in
      var text = row.plain
      while text.last == " " { text.removeLast() }
      return text
    }
  }

  /// The style of a text, where it is a span of its own.
  func style(of text: String) -> TextStyle? {
    lazy.flatMap(\.spans).first { $0.text == text }?.style
  }
}
