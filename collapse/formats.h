/* formats: the input formats of collapse, --format NAME.
 *
 * To add a text format: write a file in collapse/text/ (of JVMs: collapse/jvm/), and add a row here. */
#ifndef COLLAPSE_FORMATS_H
#define COLLAPSE_FORMATS_H

#include "collapse/parse/format.h"

#define INPUT_FORMATS(X) \
	X(perfdata)      \
	X(folded)        \
	X(points)        \
	X(pprof)         \
	X(otlp)          \
	X(otlp_json)     \
	X(speedscope)    \
	X(cpuprofile)    \
	X(heapprofile)   \
	X(trace_events)  \
	X(firefox)       \
	X(gecko)         \
	X(v8_prof)       \
	X(xctrace)       \
	X(jstack)        \
	X(jfr)           \
	X(threaddump)    \
	X(javacore)      \
	X(asprof)        \
	X(exceptions)    \
	X(perf_script)   \
	X(bpftrace)      \
	X(bpftrace_json) \
	X(bcc)           \
	X(memleak)       \
	X(dhat)          \
	X(leaks)         \
	X(stackcount)    \
	X(dtrace)        \
	X(systemtap)     \
	X(strace)        \
	X(gdb)           \
	X(lldb)          \
	X(eustack)       \
	X(faulthandler)  \
	X(pyspy)         \
	X(pyspy_json)    \
	X(austin)        \
	X(goraw)         \
	X(goroutine)     \
	X(macsample)     \
	X(instruments)   \
	X(vtune)         \
	X(vsprof)        \
	X(pmcstat)       \
	X(procstack)     \
	X(pstack)        \
	X(ghc)           \
	X(xdebug)        \
	X(phpspy)        \
	X(rbspy)         \
	X(rprof)         \
	X(wallclock)     \
	X(ljp)           \
	X(samples)

#define DECLARE(name) extern const struct input_format name##_format;
INPUT_FORMATS(DECLARE)
#undef DECLARE

/* The format called name; exits 2 when there is none.  For "list", prints all of them and exits. */
const struct input_format *input_format_find(const char *name);

/* The i-th; NULL after the last one. */
const char *input_format_name(size_t i);

/* The format that recognizes text as the beginning of an input; otherwise perfdata, whose reader
 * reports what kind of file it seems to be.  Exits 1 if several formats are sure; path names the input
 * in that message. */
const struct input_format *input_format_sniff(const char *path, const char *text, size_t len);

/* Lines before the first record: messages of a tool on the same output. */
struct odd_lines {
	size_t count, bytes;
};

/* The text format that recognizes the input after some odd lines at its beginning ("Failed to open /tmp/perf-1.map"),
 * which belong to no format; NULL: no format does, or a format recognizes the text without skipping lines.  wanted: the
 * only format to try; NULL: all. */
const struct input_format *input_format_behind(const struct input_format *wanted, const char *path, const char *text,
					       size_t len, struct odd_lines *odd);

#endif
