import Foundation

/// Compares samples with the golden files of all versions.
struct GoldenCheck {
  /// Returns the file of a version.
  let file: (Int) -> URL
  let subject: String
  let versionName: String
  let version: Int
  let upgradesName: String
  /// Whether an earlier version may have no upgrade to this one.
  let isOptional: Bool
  /// Upgrades a value of a version, decodes it, and encodes it again.
  let read: (Data, Int) throws -> [Data]

  /// Compares the samples, and writes a missing golden file.
  ///
  /// - Returns: Descriptions of the problems.
  func run(_ samples: [GoldenSample]) throws -> [String] {
    let samples = numbered(samples)
    var problems = try (1..<max(1, version)).flatMap(checkEarlier)
    if FileManager.default.fileExists(atPath: file(version + 1).path) {
      problems.append(
        "\(file(version + 1).lastPathComponent) is of a later version than \(versionName), which is"
          + " \(version): a version is never lowered")
    }
    guard let golden = try GoldenFile(at: file(version)) else {
      try GoldenFile(version: version, samples: samples).write(to: file(version))
      return problems + [
        "there was no golden file for \(subject) of \(versionName) \(version). It has been written:"
          + " look at \(file(version).path), commit it, and run the test again"
      ]
    }
    return try problems + compare(samples, with: golden)
  }

  /// Adds a number to the names of further samples of the same case.
  private func numbered(_ samples: [GoldenSample]) -> [GoldenSample] {
    var counts: [String: Int] = [:]
    return samples.map { sample in
      var sample = sample
      counts[sample.name, default: 0] += 1
      if let count = counts[sample.name], count > 1 { sample.name += " \(count)" }
      return sample
    }
  }

  private func checkEarlier(_ earlier: Int) throws -> [String] {
    guard let golden = try GoldenFile(at: file(earlier)) else { return [] }
    return golden.samples.compactMap { sample in
      if isOptional, sample.isExact == true { return nil }
      do {
        _ = try read(sample.data ?? Data(), earlier)
        return nil
      } catch {
        let help =
          isOptional
          ? "add a step to \(upgradesName), or delete the file if such snapshots may be skipped"
          : "correct the steps of \(upgradesName)"
        return "'\(sample.name)' of \(subject), as version \(earlier) has kept it, cannot be read: "
          + "\(error); \(help)"
      }
    }
  }

  private func compare(_ samples: [GoldenSample], with golden: GoldenFile) throws -> [String] {
    let now = Dictionary(samples.map { ($0.name, $0) }) { first, _ in first }
    var problems = golden.samples.compactMap { problem(of: $0, now: now[$0.name]) }
    if problems.isEmpty { problems = golden.samples.compactMap { foldProblem($0, now[$0.name]) } }
    let known = Set(golden.samples.map(\.name))
    let new = samples.filter { !known.contains($0.name) }
    if problems.isEmpty, !new.isEmpty {
      try GoldenFile(version: version, samples: golden.samples + new).write(to: file(version))
      problems.append(
        "\(new.map { "'\($0.name)'" }.joined(separator: ", ")) of \(subject) is new, and has been"
          + " added to \(file(version).path): look at it, commit it, and run the test again")
    }
    let named = golden.samples.map { $0.with(fields: now[$0.name]?.fields) }
    if problems.isEmpty, named != golden.samples {
      try GoldenFile(version: version, samples: named).write(to: file(version))
      problems.append(
        "\(file(version).path) did not name the fields of \(subject): it does now; look at it,"
          + " commit it, and run the test again")
    }
    return problems
  }

  /// Returns a problem if the golden mutations make another state now; `nil` if they cannot be
  /// compared.
  private func foldProblem(_ golden: GoldenSample, _ now: GoldenSample?) -> String? {
    guard let now, golden.isExact == true, now.isExact == true, now.data != golden.data else {
      return nil
    }
    return "reduce makes another state of the golden mutations than it did:\n"
      + "  \(golden.shown)\n  \(now.shown)\n"
      + "snapshots of version \(version) hold the former; raise \(versionName) to \(version + 1)"
  }

  private func problem(of golden: GoldenSample, now: GoldenSample?) -> String? {
    let help = "raise \(versionName) to \(version + 1) and add a step to \(upgradesName)"
    if golden.isExact == true { return nil }
    let again: [Data]
    do {
      again = try read(golden.data ?? Data(), version)
    } catch {
      return "the shape of '\(golden.name)' of \(subject) has changed, and \(versionName) is still"
        + " \(version). What has been kept cannot be read any more: \(error); \(help)"
    }
    let written = again.first.map { GoldenSample(golden.name, $0) }
    guard let other = [written, now].compactMap({ $0 }).first(where: { $0.shape != golden.shape })
    else {
      guard let now else { return "there is no sample of '\(golden.name)' of \(subject) any more" }
      return fieldProblem(golden, now).map { "\($0); \(help)" }
    }
    return "the shape of '\(golden.name)' of \(subject) has changed, and \(versionName) is still "
      + "\(version):\n  \(golden.shown)\n  \(other.shown)\n\(help)"
  }

  /// Returns a problem if the fields differ, which the encoding of a `nil` does not show.
  private func fieldProblem(_ golden: GoldenSample, _ now: GoldenSample) -> String? {
    guard let before = golden.fields, let after = now.fields, before != after else { return nil }
    return "the shape of '\(golden.name)' of \(subject) has changed, and \(versionName) is still "
      + "\(version): its fields were \(before), and are \(after)"
  }
}
