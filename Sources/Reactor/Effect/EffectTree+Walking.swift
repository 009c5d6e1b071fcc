extension EffectTree {
  /// Whether some part must run on this very actor.
  @usableFromInline
  func isIsolated(to actor: any Actor) -> Bool {
    var waiting = [EffectPart.tree(self)]
    while let part = waiting.popLast() {
      switch part {
      case .plain(let plain): if plain.isIsolated(to: actor) { return true }
      case .tree(let tree):
        switch tree.content {
        case .concat(let parts), .merge(let parts): waiting += parts
        case .changed(let part, let change):
          if case .end(let end) = change, end.isIsolated(to: actor) { return true }
          waiting.append(part)
        }
      }
    }
    return false
  }

  /// The names of its effects, in order; those without one are left out.
  var names: [String] {
    var names: [String] = []
    var waiting = [EffectPart.tree(self)]
    while let part = waiting.popLast() {
      guard case .tree(let tree) = part else { continue }
      switch (tree.shape, tree.content) {
      case (.whole, _): if let name = tree.traits.name { names.append(name) }
      case (_, .concat(let parts)), (_, .merge(let parts)): waiting += parts.reversed()
      case (_, .changed(let part, _)): waiting.append(part)
      }
    }
    return names
  }

  /// The mutations of a tree that emits all of it at once: the streams of which it is made, in
  /// order.
  var partsAtOnce: [any PlainEffect] {
    var found: [any PlainEffect] = []
    var waiting = [EffectPart.tree(self)]
    while let part = waiting.popLast() {
      switch part {
      case .plain(let plain): found.append(plain)
      case .tree(let tree):
        if case .concat(let parts) = tree.content { waiting += parts.reversed() }
      }
    }
    return found
  }

  /// The parts of a merge, and of those in it: each with what is around the merge around it.
  var mergedParts: [EffectPart] {
    var found: [EffectPart] = []
    var changes = EffectChanges()
    var waiting = [(EffectPart.tree(self), EffectChanges.none)]
    while let (part, change) = waiting.popLast() {
      guard case .tree(let tree) = part, tree.shape == .merge else {
        found.append(changes.made(from: change, to: part))
        continue
      }
      switch tree.content {
      case .concat(let parts), .merge(let parts):
        waiting += parts.reversed().map { ($0, change) }
      case .changed(let part, let inner):
        waiting.append((part, changes.add(inner, inside: change)))
      }
    }
    return found
  }

  /// The same with another part in place of each effect of a name.
  func replacing(_ name: String, with other: EffectPart) -> EffectPart {
    enum Step {
      case replace(EffectPart, changes: Int)
      /// Makes one tree of the last parts that are done.
      case combine(Int, Shape)
    }
    var done: [EffectPart] = []
    var changes = EffectChanges()
    var steps = [Step.replace(.tree(self), changes: EffectChanges.none)]
    while let step = steps.popLast() {
      switch step {
      case .combine(let count, let shape):
        let parts = Array(done.suffix(count))
        done.removeLast(count)
        done.append(
          .tree(shape == .merge ? EffectTree(merge: parts) : EffectTree(concat: parts)))
      case .replace(let part, let change):
        guard case .tree(let tree) = part, tree.shape != .whole else {
          done.append(part.traits.name == name ? other : changes.made(from: change, to: part))
          continue
        }
        switch tree.content {
        case .changed(let part, let inner):
          steps.append(.replace(part, changes: changes.add(inner, inside: change)))
        case .concat(let parts), .merge(let parts):
          steps.append(.combine(parts.count, tree.shape))
          steps += parts.reversed().map { .replace($0, changes: change) }
        }
      }
    }
    return done[0]
  }
}

/// Changes of trees, to be made to parts of theirs: several parts share those outside.
private struct EffectChanges {
  static let none = -1

  private var links: [(change: EffectChange, outside: Int)] = []

  /// Adds a change inside others.
  ///
  /// - Returns: Where the change is.
  mutating func add(_ change: EffectChange, inside outside: Int) -> Int {
    links.append((change, outside))
    return links.count - 1
  }

  /// Makes all changes to a part, the innermost one first.
  func made(from innermost: Int, to part: EffectPart) -> EffectPart {
    let isEffect = part.isEffect
    var (part, place) = (part, innermost)
    while place != Self.none {
      let (change, outside) = links[place]
      if isEffect || change.concernsMutations { part = .tree(EffectTree(part, change)) }
      place = outside
    }
    return part
  }
}
