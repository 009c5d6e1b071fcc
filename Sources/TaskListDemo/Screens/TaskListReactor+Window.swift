import Reactor
import TaskStore

/// Choosing what to show.
extension TaskListReactor {
  /// Shows another part of the list, or reads this one again.
  func changeWindow(_ change: (inout TaskWindow) -> Void) -> MutationStream<Mutation> {
    var window = currentState.window
    change(&window)
    return .run { [window] emit in await self.show(window, emit) }
  }

  /// A search that was entered: the pending search of the typed text is cancelled.
  func changeWindowAtOnce(_ change: (inout TaskWindow) -> Void) -> MutationStream<Mutation> {
    cancel(lane: "type")
    return changeWindow(change)
  }

  func showSection(named name: String) -> MutationStream<Mutation> {
    .run { emit in
      do throws(TaskError) {
        let section = try await self.section(named: name)
        var window = self.currentState.window
        window.search(\.section, section.id)
        await self.show(window, emit)
      } catch {
        await emit(.fail(error.description))
      }
    }
  }

  private func show(_ window: TaskWindow, _ emit: MutationEmitter<Mutation>) async {
    await emit(.setWindow(window))
    await emit(read(window))
  }

  /// Returns what to show after a change made elsewhere; nil if it is shown already.
  func mutation(after event: TaskEvent) async -> Mutation? {
    guard event.revision > currentState.page.revision else { return nil }
    return await read(currentState.window)
  }

  /// Reads a part of the list; if the list has become shorter, its end.
  func read(_ window: TaskWindow) async -> Mutation {
    do throws(TaskError) {
      let (query, limit) = (window.query, window.limit)
      var page = try await service.page(query, from: window.offset, limit: limit)
      if page.tasks.isEmpty, page.total > 0 {
        page = try await service.page(query, from: max(page.total - limit, 0), limit: limit)
      }
      return .show(page, in: window)
    } catch {
      return .fail(error.description)
    }
  }

  private func section(named name: String) async throws(TaskError) -> TaskSection {
    let sections = try await service.sections()
    let key = TaskText.key(name)
    if let section = sections.first(where: { TaskText.key($0.name) == key }) { return section }
    let names = sections.prefix(5).map { TaskText.quoted($0.name) }.joined(separator: ", ")
    throw .refused(
      "there is no section \(TaskText.quoted(name)); "
        + (names.isEmpty ? "there are none yet" : "there are: \(names)")
        + (sections.count > 5 ? " and \(sections.count - 5) more" : "")
        + "; 'add TITLE --section NAME' makes one")
  }
}

/// Finding tasks by name.
extension TaskListReactor {
  /// Returns the named task, according to the list on the screen.
  func task(_ reference: TaskReference) async throws(TaskError) -> TaskItem {
    switch reference {
    case .row(let row): try await task(inRow: row)
    case .id(let id): try await task(withID: id)
    case .title(let prefix): try await task(titled: prefix)
    }
  }

  /// Returns the named tasks, in the order of the list, each once.
  func tasks(_ selection: TaskSelection) async throws(TaskError) -> [TaskItem] {
    var tasks: [TaskItem] = []
    if let last = selection.lastRow { _ = try await task(inRow: last) }
    for rows in selection.rows { tasks += try await self.tasks(inRows: rows) }
    for id in selection.ids { add(try await task(withID: id), to: &tasks) }
    for title in selection.titles { add(try await task(titled: title), to: &tasks) }
    return tasks
  }

  private func add(_ task: TaskItem, to tasks: inout [TaskItem]) {
    if !tasks.contains(where: { $0.id == task.id }) { tasks.append(task) }
  }

  /// In any list, and on any page.
  private func task(withID id: TaskItem.ID) async throws(TaskError) -> TaskItem {
    if let task = try await service.task(id) { return task }
    throw .noTask(TaskName.text(of: id))
  }

  private func task(inRow row: Int) async throws(TaskError) -> TaskItem {
    let state = currentState
    if showsRows, !state.isReading, let task = state.page.task(inRow: row) { return task }
    let page = try await service.page(state.window.query, from: max(row - 1, 0), limit: 1)
    if row > 0, let task = page.tasks.first { return task }
    throw .noRow(row, of: page.total)
  }

  private func tasks(inRows rows: ClosedRange<Int>) async throws(TaskError) -> [TaskItem] {
    let state = currentState
    let shown = rows.count > state.window.limit ? [] : rows.compactMap(state.page.task(inRow:))
    if showsRows, !state.isReading, shown.count == rows.count { return shown }
    return try await service.page(
      state.window.query, from: rows.lowerBound - 1, limit: rows.count
    ).tasks
  }

  private func task(titled prefix: String) async throws(TaskError) -> TaskItem {
    let query = currentState.window.query
    let tasks = try await service.tasks(titled: prefix, in: query, limit: 10)
    return try TaskReference.choose(prefix, among: tasks)
  }
}

/// Scrolling.
extension TaskListReactor {
  /// Turns pages from the visible rows: no row is skipped, and the last page is full.
  func turn(_ pages: Int) -> MutationStream<Mutation> {
    .run { emit in
      do throws(TaskError) {
        for _ in 0..<abs(pages) {
          let window = self.currentState.window
          guard let offset = try await self.offset(down: pages > 0) else { break }
          await emit(.scroll(to: offset, of: window.query))
          await emit(self.read(self.currentState.window))
        }
      } catch {
        await emit(.fail(error.description))
      }
    }
  }

  /// Shows that many rows, from the same first row; if a higher window has space after the last
  /// row, earlier rows as well.
  func resize(to rows: Int) -> MutationStream<Mutation> {
    var window = currentState.window
    window.limit = rows
    return .run { [window] emit in
      await self.show(window, emit)
      do throws(TaskError) {
        let page = self.currentState.page
        guard page.offset > 0, page.offset + page.tasks.count == page.total else { return }
        let offset = try await self.offset(endingAt: page.total - 1, in: window)
        guard offset < page.offset else { return }
        await emit(.scroll(to: offset, of: window.query))
        await emit(self.read(self.currentState.window))
      } catch {
        await emit(.fail(error.description))
      }
    }
  }

  private func offset(down: Bool) async throws(TaskError) -> Int? {
    let (page, window) = (currentState.page, currentState.window)
    guard down else {
      return page.offset > 0 ? try await offset(endingAt: page.offset - 1, in: window) : nil
    }
    let next = page.offset + page.shownCount(rows: window.limit, in: window.query)
    guard next < page.total else { return nil }
    return min(next, try await offset(endingAt: page.total - 1, in: window))
  }

  /// The offset of a window whose last row is the given one.
  private func offset(
    endingAt row: Int, in window: TaskWindow
  ) async throws(TaskError) -> Int {
    let first = max(0, row - window.limit + 1)
    var page = try await service.page(window.query, from: first, limit: row - first + 1)
    while page.shownCount(rows: window.limit, in: window.query) < page.tasks.count {
      page.tasks.removeFirst()
      page.offset += 1
    }
    return page.offset
  }

  /// Reads the list again, and scrolls to a task if the list has it and the window would not show
  /// it.
  func reveal(_ id: TaskItem.ID, _ emit: MutationEmitter<Mutation>) async {
    let window = currentState.window
    do throws(TaskError) {
      let page = try await service.page(window.query, from: window.offset, limit: window.limit)
      let shown = page.shownCount(rows: window.limit, in: window.query)
      guard let row = try await service.row(of: id, in: window.query),
        !(page.offset..<page.offset + shown).contains(row)
      else {
        return await emit(.show(page, in: window))
      }
      let offset =
        row < page.offset ? row : try await offset(endingAt: row, in: window)
      await emit(.scroll(to: offset, of: window.query))
      await emit(read(currentState.window))
    } catch {
      await emit(.fail(error.description))
    }
  }
}
