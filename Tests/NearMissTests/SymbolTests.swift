#if DEBUG && os(Linux)
  import TestLimits
  import Reactor
  import ReactorTesting
  import Testing

  /// What the compiler cannot see is found among the symbols of the type, in debug builds.
  @Suite(.bounded) struct SymbolTests {
    @Test func `a lane without its label is found`() {
      expect(Unlabelled.self, "'lane(_:)' is not the lane(for:) of Reactor", "LanedReactor")
    }

    @Test func `a lane with another label is found, also in a generic reactor's extension`() {
      expect(Relabelled<Int>.self, "'lane(of:)' is not the lane(for:) of Reactor", "LanedReactor")
    }

    @Test func `a lane of a generic action is found`() {
      expect(Boxed.self, "'lane(of:)' is not the lane(for:) of Reactor", "LanedReactor")
      expect(GenericBoxed<Int>.self, "'lane(of:)' is not the lane(for:) of Reactor")
      expect(GenericBoxed<[Int: String]>.self, "'lane(of:)' is not the lane(for:) of Reactor")
    }

    @Test func `a lane of another type is found`() {
      expect(Keyed.self, "'lane(for:)' is not the lane(for:) of Reactor", "-> Lane?")
    }

    @Test func `a static lane is found`() {
      expect(Shared.self, "'static lane(for:)' is not the lane(for:) of Reactor")
    }

    @Test func `a hook with another label is found`() {
      expect(
        Plural.self, "'transform(actions:)' is not the transform(action:)", "ActionTransforming")
    }

    @Test func `a hook of any sequence is found`() {
      expect(
        AnySequence.self, "'transform(mutation:)' is not the transform(mutation:)",
        "MutationTransforming")
    }

    @Test func `a mutate without its label is found where the default would be used`() {
      expect(Echo.self, "'mutate(_:)' is not the mutate(action:)", "MutationStream<Mutation>")
    }

    @Test func `an async mutate is found where the default would be used`() {
      expect(AsyncEcho.self, "'mutate(action:) async throws' is not the mutate(action:)")
    }

    @Test func `so is one that only suspends, and one that only throws`() {
      expect(OnlyAsyncEcho.self, "'mutate(action:) async' is not the mutate(action:)")
      expect(ThrowingEcho.self, "'mutate(action:) throws' is not the mutate(action:)")
    }

    @Test func `a report that is async is found`() {
      expect(
        AsyncReport.self, "'report(_:) async' is not the report(_:)", "nonisolated func report")
    }

    @Test func `a journaled reactor's recover is found where recovered is meant`() {
      expect(
        Recovering.self, "'recover()' is not the recovered() of JournaledReactor",
        "write 'func recovered()'")
    }

    @Test func `so is a recovered that is async, and one that takes the state`() {
      expect(LateRecovery.self, "'recovered() async' is not the recovered() of JournaledReactor")
      expect(TellingRecovery.self, "'recovered(_:)' is not the recovered()")
    }

    @Test func `an isTransient with a label, or of the reactor, is found`() {
      expect(
        Passing.self, "'static isTransient(mutation:)' is not the isTransient(_:)",
        "write 'static func isTransient(_ mutation: Mutation) -> Bool'")
      expect(Instance.self, "'isTransient(_:)' is not the isTransient(_:) of JournaledReactor")
    }

    @Test func `what only resembles a journaled reactor's member is not reported`() {
      for found in [
        NearMisses.found(in: Journaled.self, supposingNoProtocolHasIt: true),
        NearMisses.found(in: JournaledHelpers.self, supposingNoProtocolHasIt: true),
        NearMisses.found(in: RecoveringHelpers.self, supposingNoProtocolHasIt: true),
      ] {
        #expect(found == nil)
      }
    }

    @Test func `helpers with a member's name are not reported`() {
      #expect(NearMisses.found(in: Helpers.self) == nil)
      #expect(NearMisses.found(in: BoxHelpers.self) == nil)
      #expect(NearMisses.found(in: GenericBoxHelpers<Int>.self) == nil)
    }

    @Test func `members that are implemented are not reported, with any others beside them`() {
      #expect(NearMisses.found(in: Complete.self) == nil)
      #expect(NearMisses.found(in: Based.self) == nil)
    }

    @Test func `a hook that returns its input is no near miss`() {
      #expect(NearMisses.found(in: Same.self) == nil)
    }

    private func expect<R: Reactor>(
      _ type: R.Type, _ texts: String..., sourceLocation: SourceLocation = #_sourceLocation
    ) {
      // Other tests in this program have protocols with the members.
      let found =
        NearMisses.found(in: type, supposingNoProtocolHasIt: true) ?? "nothing was found"
      for text in texts {
        #expect(found.contains(text), sourceLocation: sourceLocation)
      }
    }
  }
#endif
