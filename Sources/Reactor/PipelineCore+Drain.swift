public import ReactorMachines
import Synchronization

/// The job that works an inbox off, and who takes the turns in it.
extension PipelineCore {
  /// Takes what waits, as far as that can be done without suspending.
  ///
  /// Mostly that is all that a job has to do. It is a function of its own because one that may
  /// suspend has a frame, which its task makes and takes away: 420 instructions.
  ///
  /// - Returns: Whether that was all; if not, ``drain(on:)`` goes on.
  @inlinable
  func drainAtOnce(on reactor: isolated R) -> Bool {
    start(on: reactor)
    guard takesPlainTurns, !takeRound(on: reactor), !isEndDue else { return false }
    tidy(on: reactor)
    return true
  }

  /// Whether everything that was accepted has been taken, and the end is to go on.
  @inlinable var isEndDue: Bool { own.batch.isEmpty && inbox.isEndDue }

  /// Whether a turn is over when it has been taken, so that many are in one go.
  @inlinable var takesPlainTurns: Bool {
    !Self.hasMutationHook && !SimulatedExecutor.isActive || phase == .stubbed
  }

  /// Takes the rest of what waits, and brings about the end where that has been reached.
  @inlinable
  func drain(on reactor: isolated R) async {
    start(on: reactor)
    if takesPlainTurns {
      if !isEndDue {
        repeat { await Task.yield() } while takeRound(on: reactor)
      }
    } else if Self.hasMutationHook {
      await drainThroughHook(on: reactor)
    } else {
      await drainOneByOne(on: reactor)
    }
    if isEndDue { await stop(on: reactor) }
    tidy(on: reactor)
  }

  /// Takes what waits, in the place of a job that has yet to begin and will have less to do.
  ///
  /// Not inside a turn, where an effect on the reactor may be that has yet to suspend: it would go
  /// on before what it has been sent.
  ///
  /// - Returns: Whether there was anything.
  @inlinable
  func workInPlace(on reactor: isolated R) -> Bool {
    start(on: reactor)
    guard !own.isTaking, !Self.hasMutationHook || phase == .stubbed, !SimulatedExecutor.isActive
    else { return false }
    let before = own.taken
    own.isBorrowed = true
    _ = takeTurns(upTo: Self.turnsAtATime, endingJob: false, on: reactor)
    own.isBorrowed = false
    return own.taken != before
  }
}
