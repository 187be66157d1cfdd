/* trace_profile: CPU profiles of V8 in trace events, as DevTools, Chromium and Node record them with
 * disabled-by-default-v8.cpu_profiler: one event that begins a profile, and then chunks of its nodes and samples.
 *
 *     {"ph": "P", "name": "Profile", "id": "0x1", "pid": 1, "tid": 2, "ts": 10, "args": {"data": {"startTime": 10}}}
 *     {"ph": "P", "name": "ProfileChunk", "id": "0x1", "pid": 1, "tid": 9, "ts": 40, "args": {"data": {
 *         "cpuProfile": {"nodes": [{"id": 1, "callFrame": {"functionName": "main"}}], "samples": [1, 1]},
 *         "timeDeltas": [5, 20], "endTime": 60}}}
 *
 * Until Chrome 66, one event "CpuProfile" of the profiled thread has all of it, as in a .cpuprofile file.
 *
 * The first event is of the thread that is profiled, chunks are of the one that profiles.  Times are in us; deltas may be
 * negative: samples are not in order.  A sample lasts until the next one, and the last one until the end or, where that is
 * not known, as long as the one before. */
#ifndef COLLAPSE_TEXT_TRACE_PROFILE_H
#define COLLAPSE_TEXT_TRACE_PROFILE_H

#include "collapse/parse/json_input.h"
#include "core/map.h"

struct trace_profile {
	uint32_t thread; /* where the profile began; valid if has_thread */
	bool has_thread;
	struct trace_chunk *chunks; /* [count] */
	size_t count, cap;
};

struct trace_profiles { /* with s set, the others 0, it is empty */
	struct text_stacks *s;
	struct trace_profile *items; /* [count] */
	size_t count, cap;
	struct map places; /* pid, name of the id: place + 1 */
};

/* Take an event; thread is whose it is, for the caller's labels.  Returns false if it does not belong to a profile.  The
 * event's text must stay. */
bool trace_profiles_add(struct trace_profiles *p, struct json event, uint32_t thread);

/* Add the samples of all profiles, in ns.  labels(context, thread) are those of a thread; UINT32_MAX: it is not known. */
void trace_profiles_fold(struct trace_profiles *p, uint32_t (*labels)(void *context, uint32_t thread), void *context);

void trace_profiles_free(struct trace_profiles *p);

#endif
