public import ReactorMachines

/// The start of a pipeline: whoever needs it first asks here.
extension PipelineCore {
  /// Starts the pipeline, unless it has been; calls the hooks in flow order, each once.
  @inlinable
  func start(on reactor: isolated R) {
    if phase == .idle { startNow(on: reactor) }
  }

  @inlinable
  func startNow(on reactor: isolated R) {
    if Self.isJournaled { return startUnopened(on: reactor) }
    startTaking(on: reactor)
  }
}
