#pragma once

/// Bytes of the heap that are in use; -1 where the C library does not say.
long heap_in_use(void);
