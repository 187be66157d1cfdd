/* recorded: the private sections of our own recordings (core/format/recording.h). */
#ifndef COLLAPSE_PERFDATA_RECORDED_H
#define COLLAPSE_PERFDATA_RECORDED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "collapse/perfdata/perfdata.h"
#include "core/intern.h"
#include "core/str.h"
#include "core/symbols/space/modules.h"
#include "core/symbols/space/places.h"

/* --- sections of text ----------------------------------------------------------- */

struct section_lines {
	const char *at, *end;
};

/* Start at the first line of a section.  A missing section has no lines. */
void section_lines_init(struct section_lines *s, const struct perfdata *d, int feature);

/* The next line without its newline, pointing into the file. */
bool section_next_line(struct section_lines *s, const char **text, size_t *len);

/* Take a number and the blank after it off the front of a line. */
bool field_number(const char **text, size_t *len, int base, uint64_t *n);

/* --- symbols -------------------------------------------------------------------- */

/* {0}: the recording itself has no symbols. */
struct recorded_symbols {
	bool present;
	struct intern modules; /* "kernel - [kernel.kallsyms]" -> index of parts */
	struct section_lines *parts;
	size_t cap;
};

void recorded_symbols_read(struct recorded_symbols *r, const struct perfdata *d);

/* A places_source; argument is the struct recorded_symbols. */
void recorded_source(const struct module *module, struct place *wanted, size_t count, struct arena *names,
		     void *argument);

void recorded_symbols_free(struct recorded_symbols *r);

/* --- JIT-compiled code ------------------------------------------------------------- */

/* Add the code in section RECORDING_CODE to spaces, which must already have all mappings. */
void recorded_code_read(const struct perfdata *d, struct spaces *spaces, struct modules *modules);

/* --- own cost ------------------------------------------------------------------- */

/* Is the process the one that made the recording, according to the recording? */
bool recorded_is_own(const struct perfdata *d, int pid);

/* --- what it was written for ------------------------------------------------------ */

struct recorded_trigger {
	uint64_t time_ns; /* in the clock of the records */
	uint64_t pid, tid, value;
	const char *condition; /* [len], in d */
	size_t len;
};

/* The trigger for which the flight recorder wrote the recording.  Returns false if another collector wrote it. */
bool recorded_trigger(const struct perfdata *d, struct recorded_trigger *t);

/* --- windows ---------------------------------------------------------------------- */

/* The value of a key in RECORDING_WINDOWS, pointing into d; NULL: there is none. */
const char *recorded_window_fact(const struct perfdata *d, const char *key, size_t *len);

/* --- priorities ------------------------------------------------------------------- */

/* Receives a thread of RECORDING_PRIORITIES; policy: [len], pointing into d. */
typedef void recorded_priority_sink(int pid, int tid, const char *policy, size_t len, int niceness, void *argument);

void recorded_priorities_each(const struct perfdata *d, recorded_priority_sink *sink, void *argument);

/* --- affinities ------------------------------------------------------------------- */

/* The number of CPUs that RECORDING_AFFINITIES has of the machine; 0: there is no such section. */
uint64_t recorded_affinities_cpus(const struct perfdata *d);

/* Takes a thread that may use fewer. */
typedef void recorded_affinity_sink(int pid, int tid, uint64_t cpus, void *argument);

void recorded_affinities_each(const struct perfdata *d, recorded_affinity_sink *sink, void *argument);

/* --- losses --------------------------------------------------------------------- */

/* The count of a loss, by its key; if it is not there, 0, and *found is false. */
uint64_t recorded_loss(const struct perfdata *d, const char *key, bool *found);

#endif
