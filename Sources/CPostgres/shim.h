// libpq's header lies in a folder of its own on some systems.
#ifndef CPOSTGRES_SHIM_H
#define CPOSTGRES_SHIM_H

#if __has_include(<libpq-fe.h>)
#include <libpq-fe.h>
#else
#include <postgresql/libpq-fe.h>
#endif

#endif
