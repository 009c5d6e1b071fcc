// The packages that ReactorDistribution stands on come with a trait, so that whoever uses the
// library alone does not resolve them: docs/decisions/0020-packages.md. This module is built before
// it, and has nothing in it.
#if !Distribution
  #error("ReactorDistribution needs a trait: depend on Reactor with traits: [\"Distribution\"]")
#endif
