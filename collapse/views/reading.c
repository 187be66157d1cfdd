#include "collapse/views/reading.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "collapse/perfdata/perfdata.h"
#include "collapse/perfdata/same_boot.h"
#include "collapse/perfdata/sample.h"
#include "collapse/perfdata/sideband.h"
#include "core/error.h"
#include "core/format/recording.h"
#include "core/symbols/jit/jit_files.h"

/* --- JIT-compiled code in recordings without names, from the dumps that the compilers left --- */

/* Does the recording use the same clock as jitdumps? */
static bool is_monotonic(const struct perfdata *d)
{
	for (size_t i = 0; i < d->event_count; i++) {
		const struct perf_event_attr *attr = &d->events[i].attr;

		if (!attr->use_clockid || attr->clockid != CLOCK_MONOTONIC)
			return false;
	}
	return true;
}

/* Find the dumps by their mappings, read them, and add their code to the spaces.  Warns if times are
 * from another clock, or dumps are damaged.  Returns whether there are any dumps. */
static bool jit_dumps_read(struct jit_files *jit, const struct perfdata *d, struct sideband *sideband)
{
	struct modules *modules = &sideband->modules;

	for (size_t i = 0; i < modules->count; i++) {
		const struct module *m = &modules->items[i];
		size_t len = strlen(m->path);

		if (m->kind == MODULE_JIT && path_is_jitdump(m->path, len))
			jit_files_add(jit, m->pid, m->path, len);
	}
	if (!jit->count)
		return false;
	jit->timeless = !is_monotonic(d);
	if (jit->timeless)
		warn("%s: its clock is not that of the jitdumps: code at an address that was used several times gets "
		     "the last name (perf record -k CLOCK_MONOTONIC avoids this)",
		     d->path);
	jit_files_read(jit, 1, true);
	jit_files_place(jit, &sideband->spaces, modules);
	jit_files_complain(jit);
	return true;
}

/* --- a recording that was opened --- */

int reading_open(struct reading *r, struct input_stream *in, bool looks_up)
{
	int status = perfdata_open(&r->data, in);

	input_close(in);
	if (status < 0)
		return -1;
	recorded_symbols_read(&r->recorded, &r->data);
	r->live.saved = true;
	if (!r->recorded.present && looks_up)
		live_start(&r->live);
	sideband_read(&r->sideband, &r->data);
	return 0;
}

/* Our own recordings contain all their names. */
int reading_nothing(const struct reading *r, const char *fmt, ...)
{
	char text[512];
	va_list args;

	if (r->may_be_nothing)
		return -1;
	va_start(args, fmt);
	vsnprintf(text, sizeof(text), fmt, args);
	va_end(args);
	return error("%s: %s", r->data.path, text);
}

void reading_find_source(struct reading *r)
{
	clock_read(&r->clock, &r->data);
	if (!r->recorded.present && !is_same_boot(&r->data, &r->sideband, &r->clock, &r->elsewhere)) {
		live_is_elsewhere(&r->live);
		modules_are_elsewhere(&r->sideband.modules);
	}
	if (!r->recorded.present && !r->live.elsewhere)
		r->live.jit = jit_dumps_read(&r->jit, &r->data, &r->sideband) ? &r->jit : NULL;
	r->live.inlined = !r->style->no_inlined || r->style->lines;
	r->live.lines = r->style->lines;
	r->live.kernel_code = &r->sideband.kernel_code;
	r->source = r->recorded.present ? recorded_source : live_source;
	r->source_argument = r->recorded.present ? (void *)&r->recorded : &r->live;
}

static struct recorded_event *find_derived(const struct perfdata *d, const char *name)
{
	for (size_t i = 0; i < d->event_count; i++) {
		struct recorded_event *e = &d->events[i];

		if (e->derived && !e->from_states && !strcmp(e->name, name))
			return e;
	}
	return NULL;
}

int reading_history(struct reading *r, derived_sink *sink, void *argument)
{
	struct record_cursor cursor = perfdata_records(&r->data);
	struct derived_request request = {
		.event = find_derived(&r->data, RECORDING_SCHED),
		.blocked = find_derived(&r->data, RECORDING_OFFCPU),
		.source = r->source,
		.source_argument = r->source_argument,
		.user_stacks = &r->user_stacks,
		.sink = sink,
		.sink_argument = argument,
	};
	struct recorded_sample sample;
	struct record record;

	while (record_next(&cursor, &record)) {
		if (record.type == PERF_RECORD_SAMPLE && sample_read(&r->data, &record, &sample) &&
		    !(request.event && sample.event->attr.type == PERF_TYPE_TRACEPOINT))
			sink(argument, &sample);
	}
	return request.event ? derived_read(&r->data, &r->sideband, &request) : 0;
}

void reading_resolve(struct reading *r)
{
	places_resolve(&r->gather.stacks.places, &r->sideband.modules, r->source, r->source_argument);
	r->names = (struct names){ .style = r->style,
				   .modules = &r->sideband.modules,
				   .places = &r->gather.stacks.places,
				   .comms = &r->sideband.comms.names };
}

void reading_free(struct reading *r)
{
	names_free(&r->names);
	gather_free(&r->gather);
	windows_free(&r->windows);
	user_stacks_free(&r->user_stacks);
	clock_free(&r->clock);
	sideband_free(&r->sideband);
	str_free(&r->elsewhere);
	live_free(&r->live);
	jit_files_free(&r->jit);
	recorded_symbols_free(&r->recorded);
	perfdata_close(&r->data);
}
