// The package that ReactorJournal stands on comes with a trait, so that whoever uses the library
// alone does not resolve it: docs/decisions/0020-packages.md. This module is built before it, and
// has nothing in it: without the trait, ReactorJournal would miss GRDB before it could say why.
#if !Journal
  #error("ReactorJournal needs a trait: depend on Reactor with traits: [\"Journal\"]")
#endif
