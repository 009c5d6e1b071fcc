import ProgramTesting
import TestLimits
import Testing

#if os(Linux)
  /// Which line editor a program links, and with it its licence.
  @Suite(.bounded) struct LinkedEditorTests {
    @Test func `a program links the line editor of its trait, and no other`() async throws {
      let run = try await PipedRun.of(
        "/usr/bin/ldd", arguments: [BuiltProduct.path("ReadlineFixture")], input: [])
      #if Libedit
        #expect(run.output.contains("libedit.so"))
        #expect(!run.output.contains("libreadline.so"))
      #else
        #expect(run.output.contains("libreadline.so"))
        #expect(!run.output.contains("libedit.so"))
      #endif
    }
  }
#endif
