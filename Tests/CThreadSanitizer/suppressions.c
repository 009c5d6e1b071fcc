#include "CThreadSanitizer.h"

// What the thread sanitizer is to overlook: the `merge` of swift-async-algorithms, nothing of ours.
//
// `merge` hands elements over by unsafe continuations, which it resumes inside the concurrency
// runtime; the sanitizer does not see that, and in a long loop reports the resumed task's frame.
// The sanitizer asks for this before it is ready to watch anything, hence C and the attribute.
__attribute__((disable_sanitizer_instrumentation))
const char *__tsan_default_suppressions(void) {
  return "race:AsyncAlgorithms12MergeStorage\nrace:MergeStorage.next\n";
}
