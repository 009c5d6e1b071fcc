import Foundation
import Reactor
import ReactorComposition
import ReactorDependencies
import ReactorTesting
import ProgramTesting
import TestLimits
import Testing

/// The place of a property, which is where a test fails that did not replace its dependency.
private let propertyLine = #line + 7

private actor Mailer: Reactor {
  typealias Action = String

  let initialState: [String] = []
  let pipeline = Pipeline()
  @ReactorDependency(\.mailServer) private var server

  var host: String { server.host }

  func reduce(state: inout [String], mutation: String) { state.append(mutation) }
}

private actor MailerParent: Reactor {
  typealias Action = String
  typealias Mutation = String

  let initialState: Set<String> = []
  let pipeline = Pipeline()
  nonisolated let mailers: ReactorChildren<String, Mailer>

  init() {
    mailers = pipeline.children(\.self) { _, _ in Mailer() }
  }

  func reduce(state: inout Set<String>, mutation: String) { state.insert(mutation) }
}

private struct MailServer: Sendable {
  var host = "mail.example.com"
  var port = 25
}

private enum MailServerKey: ReactorDependencyKey {
  static var defaultValue: MailServer { MailServer() }
}

private enum LocaleKey: ReactorDependencyKey {
  static var defaultValue: String { "en" }
  static var allowsDefaultInTests: Bool { true }
}

extension ReactorDependencies {
  fileprivate var mailServer: MailServer {
    get { self[MailServerKey.self] }
    set { self[MailServerKey.self] = newValue }
  }

  fileprivate var locale: String {
    get { self[LocaleKey.self] }
    set { self[LocaleKey.self] = newValue }
  }
}

@Suite(.bounded) struct UnreplacedDependencyTests {
  private let message = """
    the dependency 'mailServer' (MailServerKey) was read and had not been replaced, so this test \
    has its default; replace it: 'ReactorDependencies.with { $0.mailServer = … } make: { … }', or \
    say in MailServerKey that the default serves tests: \
    'static var allowsDefaultInTests: Bool { true }'
    """

  // MARK: What fails

  @Test func `a dependency that a reactor reads and the test did not replace fails by name`() async
  {
    let issues = await issues { _ = Mailer() }
    #expect(issues.map(\.text) == [message])
  }

  @Test func `it fails at the line where the reactor declares the dependency`() async {
    let issues = await issues { _ = Mailer() }
    #expect(issues.map(\.line) == [propertyLine])
  }

  @Test func `the test goes on with the default`() async {
    _ = await issues {
      #expect(await Mailer().host == "mail.example.com")
    }
  }

  @Test func `one that is read directly fails the test with the same message`() async {
    let issues = await issues { _ = ReactorDependencies.current.mailServer }
    #expect(issues.map(\.text) == [message])
  }

  @Test func `one that is read by its key alone has the key's name`() async {
    let texts = await texts { _ = ReactorDependencies.current[MailServerKey.self] }
    #expect(texts.count == 1)
    #expect(texts.first?.hasPrefix("the dependency 'MailServerKey' was read") == true)
    #expect(texts.first?.contains("{ $0[MailServerKey.self] = … }") == true)
  }

  @Test func `replacing another one does not help`() async {
    let issues = await issues {
      ReactorDependencies.with {
        $0.locale = "fr"
      } make: {
        _ = Mailer()
      }
    }
    #expect(issues.map(\.text) == [message])
  }

  @Test func `a value computed for a replacement reads dependencies, too`() async {
    let issues = await issues {
      ReactorDependencies.with {
        $0.locale = ReactorDependencies.current.mailServer.host
      } make: {
      }
    }
    #expect(issues.map(\.text) == [message])
  }

  @Test func `a child reads one that its parent was not given`() async {
    let issues = await issues {
      try await simulate { _ in
        await MailerParent().send("one").settled
      }
    }
    #expect(issues.map(\.text).contains(message))
  }

  #if os(Linux)
    @Test func `outside any test it fails the run`() async throws {
      let run = try await PipedRun.of(
        "ReactorPackageTests.xctest",
        arguments: ["--testing-library", "swift-testing", "--filter", "ReadingBesideTests"],
        environment: ["REACTOR_PROVOKES_FAILURES": "1"], input: [])
      #expect(run.status != .exited(0))
      #expect((run.output + run.errorOutput).contains(message))
    }
  #endif

  // MARK: What does not

  @Test func `one that is replaced fails nothing`() async {
    let mailer = ReactorDependencies.with {
      $0.mailServer = MailServer(host: "localhost")
    } make: {
      Mailer()
    }
    #expect(await mailer.host == "localhost")
  }

  @Test func `one that is replaced by a changed default fails nothing`() async {
    let mailer = ReactorDependencies.with {
      $0.mailServer.host = "localhost"
    } make: {
      Mailer()
    }
    #expect(await mailer.host == "localhost")
  }

  @Test func `a key can declare that its default is for tests`() {
    #expect(ReactorDependencies.current.locale == "en")
  }

  @Test func `defaults can be allowed for a scope`() async {
    let issues = await issues {
      ReactorDependencies.with {
        $0.allowsDefaultsInTests = true
      } make: {
        _ = Mailer()
      }
    }
    #expect(issues == [])
  }

  @Test func `after the scope they fail again`() async {
    let issues = await issues {
      ReactorDependencies.with {
        $0.allowsDefaultsInTests = true
      } make: {
      }
      _ = Mailer()
    }
    #expect(issues.map(\.text) == [message])
  }

  @Test func `inside the scope they can be forbidden again`() async {
    let issues = await issues {
      ReactorDependencies.with {
        $0.allowsDefaultsInTests = true
      } make: {
        ReactorDependencies.with {
          $0.allowsDefaultsInTests = false
        } make: {
          _ = Mailer()
        }
      }
    }
    #expect(issues.map(\.text) == [message])
  }

  @Test func `children may read defaults where their parent may`() async {
    let parent = ReactorDependencies.with {
      $0.allowsDefaultsInTests = true
    } make: {
      MailerParent()
    }
    await parent.send("one").settled
    #expect(await parent.mailers["one"]?.host == "mail.example.com")
  }

  @Test func `a replacement in one task is not one in another`() async {
    let failures = await issues {
      await withTaskGroup { group in
        for number in 0..<20 {
          group.addTask {
            await ReactorDependencies.with {
              if number.isMultiple(of: 2) { $0.mailServer = MailServer(host: "\(number)") }
            } make: {
              await Task.yield()
              _ = Mailer()
            }
          }
        }
      }
    }
    #expect(failures.map(\.text) == Array(repeating: message, count: 10))
  }
}

/// Run as a process of its own, since what it reads fails the run.
@Suite(.bounded) struct ReadingBesideTests {
  private static let isWatched =
    ProcessInfo.processInfo.environment["REACTOR_PROVOKES_FAILURES"] != nil

  @Test(.enabled(if: isWatched)) func `a detached task reads one`() async {
    await Task.detached { _ = Mailer() }.value
  }
}
