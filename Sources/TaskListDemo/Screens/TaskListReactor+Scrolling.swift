import Reactor

/// Where in the list to look.
extension TaskListReactor {
  /// Turns pages from what is on the screen: no row is passed over, and the last page is full.
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

  private func offset(down: Bool) async throws(TaskError) -> Int? {
    let (page, window) = (currentState.page, currentState.window)
    guard down else {
      return page.offset > 0 ? try await offset(endingAt: page.offset - 1, in: window) : nil
    }
    let next = page.offset + page.shownCount(rows: window.limit, in: window.query)
    guard next < page.total else { return nil }
    return min(next, try await offset(endingAt: page.total - 1, in: window))
  }

  /// Where a window begins whose last row is that one.
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

  /// Reads the list again, and goes to where a task is, if the list has it and would not show it.
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
