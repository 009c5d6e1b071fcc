// As TestingTrait, for the packages that ReactorInstrumentation depends on.
#if !Instrumentation
  #error(
    "ReactorInstrumentation needs a trait: depend on Reactor with traits: [\"Instrumentation\"]")
#endif
