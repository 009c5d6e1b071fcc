// The packages that this module stands on come with a trait, so that whoever uses the library alone
// does not resolve them: docs/decisions/0020-packages.md.
#if !Testing
  #error("ReactorTesting needs a trait: depend on Reactor with traits: [\"Testing\"]")
#endif
