/* offcpu: collect offcpu: how long threads are blocked, and in which stack. */
#ifndef COLLECT_OFFCPU_OFFCPU_H
#define COLLECT_OFFCPU_OFFCPU_H

#include "collect/run/source.h"

extern const struct source offcpu_source;

#endif
