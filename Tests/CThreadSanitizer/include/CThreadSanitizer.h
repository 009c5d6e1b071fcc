// Read by the thread sanitizer's runtime, where there is one.
const char *__tsan_default_suppressions(void);
