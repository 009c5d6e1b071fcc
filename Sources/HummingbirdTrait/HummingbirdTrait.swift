// The packages that ReactorHummingbird depends on come with a trait, so that users of the library
// alone do not resolve them: docs/decisions/0020-packages.md. This empty module is built before
// ReactorHummingbird: without it, a missing trait would show as a missing package, without the
// reason.
#if !Hummingbird
  #error("ReactorHummingbird needs a trait: depend on Reactor with traits: [\"Hummingbird\"]")
#endif
