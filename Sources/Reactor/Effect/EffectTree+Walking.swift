extension EffectTree {
  /// Visits the tree and its parts, in order, each before its own parts.
  ///
  /// - Parameter entersParts: Called with each; returns whether to visit its own parts.
  private func visit(_ entersParts: (EffectPart) -> Bool) {
    var waiting = [EffectPart.tree(self)]
    while let part = waiting.popLast() {
      guard entersParts(part), case .tree(let tree) = part else { continue }
      switch tree.content {
      case .parts(let parts): waiting += parts.reversed()
      case .changed(let part, _): waiting.append(part)
      }
    }
  }

  /// Whether some part must run on this actor.
  func isIsolated(to actor: any Actor) -> Bool {
    var isIsolated = false
    visit { part in
      switch part {
      case .plain(let plain): isIsolated = isIsolated || plain.isIsolated(to: actor)
      case .tree(let tree):
        guard case .changed(_, .end(let end)) = tree.content else { break }
        isIsolated = isIsolated || end.isIsolated(to: actor)
      }
      return !isIsolated
    }
    return isIsolated
  }

  /// The names of its effects, in order; those without one are left out.
  var names: [String] {
    var names: [String] = []
    visit { part in
      if part.shape == .whole, let name = part.traits.name { names.append(name) }
      return part.shape != .whole
    }
    return names
  }

  /// The streams of a tree that emits all of its mutations at once, in order.
  var partsAtOnce: [any PlainEffect] {
    var found: [any PlainEffect] = []
    visit { part in
      if case .plain(let plain) = part { found.append(plain) }
      return true
    }
    return found
  }

  /// The parts of a merge, and of merges in it, each wrapped in the changes around its merge.
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
      case .parts(let parts):
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
        done.append(.tree(EffectTree(parts, shape)))
      case .replace(let part, let change):
        guard case .tree(let tree) = part, tree.shape != .whole else {
          done.append(part.traits.name == name ? other : changes.made(from: change, to: part))
          continue
        }
        switch tree.content {
        case .changed(let part, let inner):
          steps.append(.replace(part, changes: changes.add(inner, inside: change)))
        case .parts(let parts):
          steps.append(.combine(parts.count, tree.shape))
          steps += parts.reversed().map { .replace($0, changes: change) }
        }
      }
    }
    return done[0]
  }
}

/// Changes of trees that are to be applied to their parts; several parts share the outer ones.
private struct EffectChanges {
  static let none = -1

  private var links: [(change: EffectChange, outside: Int)] = []

  /// Adds a change inside others.
  ///
  /// - Returns: The index of the change.
  mutating func add(_ change: EffectChange, inside outside: Int) -> Int {
    links.append((change, outside))
    return links.count - 1
  }

  /// Applies all changes to a part, the innermost one first.
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
