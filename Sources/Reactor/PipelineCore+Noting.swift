/// Notes how actions end, and who wants to know of which; what comes of it, receipts tell.
extension PipelineCore {
  /// Writes down how an action ended, other than by finishing.
  @inlinable
  func note(_ end: ActionOutcome, of number: UInt64) {
    ledger.note(end, of: number)
    tellNoted(end, of: number)
  }

  /// Tells whoever wants to know of an end that has been written down.
  @inlinable
  func tellNoted(_ end: ActionOutcome, of number: UInt64) {
    if let steps { tell(end, of: number, to: steps) }
  }

  /// Tells the sinks how an action will end, and that of which a hook has made it.
  @usableFromInline
  func tell(_ end: ActionOutcome, of number: UInt64, to steps: Sinks) {
    steps.receive(.noted(number: number, end))
    let origin = ledger.origin(of: number)
    if origin != number, let end = ledger.end(of: origin) {
      steps.receive(.noted(number: origin, end))
    }
  }

  /// Somebody wants to know how an action ends, and will ask for the answer.
  @usableFromInline
  func askOutcome(of number: UInt64) { ledger.ask(number) }
}
