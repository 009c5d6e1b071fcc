import Foundation

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A program that has been started, with nothing to read and nowhere to write to.
///
/// By the C library's own function: where a process has some 1,360 files open, Foundation's
/// `Process` reads past the end of their list on Linux, and now and then that is its end.
struct ChildProcess {
  let id: pid_t

  /// - Throws: What the system says why it could not be started.
  static func start(
    _ program: String, _ arguments: [String], environment: [String: String]
  ) throws -> ChildProcess {
    #if canImport(Darwin)
      var actions: posix_spawn_file_actions_t?
    #else
      var actions = posix_spawn_file_actions_t()
    #endif
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    for descriptor in STDIN_FILENO...STDERR_FILENO {
      posix_spawn_file_actions_addopen(&actions, descriptor, "/dev/null", O_RDWR, 0)
    }
    let words = ([program] + arguments).map { strdup($0) } + [nil]
    let variables = environment.map { strdup("\($0)=\($1)") } + [nil]
    defer { (words + variables).forEach { free($0) } }
    var id: pid_t = 0
    let code = posix_spawn(&id, program, &actions, nil, words, variables)
    guard code == 0 else {
      throw POSIXError(POSIXErrorCode(rawValue: code) ?? .EINVAL)
    }
    return ChildProcess(id: id)
  }

  /// Comes back when it has ended, however that was.
  ///
  /// A thread of its own waits for that: those of tasks must not be blocked.
  func end() async {
    await withCheckedContinuation { (ended: CheckedContinuation<Void, Never>) in
      Thread.detachNewThread {
        var status: CInt = 0
        while waitpid(id, &status, 0) < 0, errno == EINTR {}
        ended.resume()
      }
    }
  }
}
