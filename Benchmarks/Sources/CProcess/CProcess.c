#define _GNU_SOURCE
#include "CProcess.h"

#include <stdio.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#if defined(__linux__)
#include <malloc.h>
#include <sched.h>
#endif

struct process_usage process_usage_now(void) {
  struct timespec cpu;
  struct rusage usage;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &cpu);
  getrusage(RUSAGE_SELF, &usage);
  return (struct process_usage){
      .cpu = cpu.tv_sec * 1000000000LL + cpu.tv_nsec,
      .voluntary_switches = usage.ru_nvcsw,
      .involuntary_switches = usage.ru_nivcsw,
  };
}

int usable_processors(void) {
#if defined(__linux__)
  cpu_set_t set;
  if (sched_getaffinity(0, sizeof set, &set) == 0) return CPU_COUNT(&set);
#endif
  return (int)sysconf(_SC_NPROCESSORS_ONLN);
}

long heap_in_use(void) {
#if defined(__GLIBC__)
  struct mallinfo2 info = mallinfo2();
  return (long)(info.uordblks + info.hblkhd);
#else
  return -1;
#endif
}

long resident_bytes(void) {
#if defined(__linux__)
  long pages = -1;
  FILE *file = fopen("/proc/self/statm", "r");
  if (!file) return -1;
  if (fscanf(file, "%*s %ld", &pages) != 1) pages = -1;
  fclose(file);
  return pages < 0 ? -1 : pages * sysconf(_SC_PAGESIZE);
#else
  return -1;
#endif
}
