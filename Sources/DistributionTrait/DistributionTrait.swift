// The packages that ReactorDistribution depends on come with a trait, so that users of the library
// alone do not resolve them: docs/decisions/0020-packages.md. This empty module is built before it.
#if !Distribution
  #error("ReactorDistribution needs a trait: depend on Reactor with traits: [\"Distribution\"]")
#endif
