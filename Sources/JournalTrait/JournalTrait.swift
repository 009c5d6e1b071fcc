// The package that ReactorJournal depends on comes with a trait, so that users of the library alone
// do not resolve it: docs/decisions/0020-packages.md. This empty module is built before
// ReactorJournal: without it, a missing trait would show as missing GRDB, without the reason.
#if !Journal
  #error("ReactorJournal needs a trait: depend on Reactor with traits: [\"Journal\"]")
#endif
