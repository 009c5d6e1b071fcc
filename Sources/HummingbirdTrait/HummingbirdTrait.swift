// The packages that ReactorHummingbird stands on come with a trait, so that whoever uses the
// library alone does not resolve them: docs/decisions/0020-packages.md. This module is built before
// it, and has nothing in it: without the trait, it would miss them before it could say why.
#if !Hummingbird
  #error("ReactorHummingbird needs a trait: depend on Reactor with traits: [\"Hummingbird\"]")
#endif
