import Workloads

/// Somebody who does a job, so many times at once.
struct Contender: Sendable {
  let name: String
  let count: Int
  let workload: Workload

  /// - Parameters:
  ///   - name: What it is called in the table.
  ///   - count: How often it does its job in one try: long enough to be measured, and no longer.
  ///   - workload: The job.
  init(_ name: String, _ count: Int, _ workload: @escaping Workload) {
    self.name = name
    self.count = count
    self.workload = workload
  }
}

/// A line of the table: one contender's time for one, divided by another's.
struct Row: Sendable {
  let subject: String
  let floor: String
  let target: Double?

  /// - Parameters:
  ///   - subject: What is measured.
  ///   - floor: What it is held against.
  ///   - target: What the ratio is to be at most; `nil` where it only informs.
  init(_ subject: String, _ floor: String, atMost target: Double? = nil) {
    self.subject = subject
    self.floor = floor
    self.target = target
  }
}

/// Contenders that take turns in one process, and the rows that come of it.
struct Group: Sendable {
  let name: String
  let tries: Int
  let contenders: [Contender]
  let rows: [Row]

  init(_ name: String, tries: Int = 5, _ contenders: [Contender], _ rows: [Row]) {
    let names = contenders.map(\.name)
    for row in rows where !names.contains(row.subject) || !names.contains(row.floor) {
      fatalError("\(name): nobody is called as in \(row.subject) ÷ \(row.floor)")
    }
    self.name = name
    self.tries = tries
    self.contenders = contenders
    self.rows = rows
  }
}

/// Something that is not a time, and so is beside nothing.
struct Amount: Sendable {
  let name: String
  let target: Int
  let measure: @Sendable () async -> Int?
}
