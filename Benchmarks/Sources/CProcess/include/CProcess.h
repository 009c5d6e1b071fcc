#pragma once

/// What the process has used since it began.
struct process_usage {
  /// Of all its threads together, in nanoseconds.
  long long cpu;
  /// How often a thread gave up its processor, because it had to wait.
  long voluntary_switches;
  /// How often one was taken off its processor.
  long involuntary_switches;
};

struct process_usage process_usage_now(void);

/// How many processors the process may run on, and so how many threads Swift's pool has.
int usable_processors(void);

/// Bytes of the heap that are in use; -1 where the C library does not say.
long heap_in_use(void);

/// Bytes of memory that the process has now; -1 where nobody says.
long resident_bytes(void);
