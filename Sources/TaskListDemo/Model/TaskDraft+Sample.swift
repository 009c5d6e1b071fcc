extension TaskDraft {
  /// Tasks to try things out with.
  static let sample: [TaskDraft] = [
    TaskDraft(title: "Buy milk", memo: "two litres, oat", section: "Home"),
    TaskDraft(title: "Water the plants", section: "Home", isDone: true),
    TaskDraft(title: "Call Bob", memo: "about the weekend", section: "Home"),
    TaskDraft(title: "Write the report", section: "Work"),
    TaskDraft(title: "Answer 田中さん", memo: "by Friday", section: "Work"),
    TaskDraft(title: "Book the train ✈️ no, 🚆", section: "Work", isDone: true),
    TaskDraft(title: "Read a chapter", section: "Some day"),
  ]
}
