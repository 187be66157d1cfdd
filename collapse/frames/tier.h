/* tier: how a function was compiled, if its name shows it.
 *
 * Names of frames that we read from a runtime (core/format/recording.h, modules "[java]" and "[python]") end in
 * their tier, like async-profiler's.  V8 puts a mark before the function in its perf maps (node
 * --perf-basic-prof; CodeKindToMarker() in v8/src/objects/code-kind.cc), after "LazyCompile:", "JS:",
 * ...:
 *
 *     com.example.App.handle_[0]    interpreted
 *     com.example.App.handle_[1]    compiled quickly (C1)
 *     com.example.App.handle_[j]    compiled (C2)
 *     com.example.App.handle_[i]    inlined into the frame before it
 *     com.example.App.handle_[?]    most likely: by the nearest debug information
 *     app.views.handle_[p]          by the interpreter of Python
 *     JS:~handle /srv/app.js:7      interpreted: _[0]
 *     JS:^handle /srv/app.js:7      compiled quickly, Sparkplug: _[1]
 *     JS:+handle /srv/app.js:7      the same, Maglev, formerly Turboprop: _[1]
 *     JS:*handle /srv/app.js:7      compiled, TurboFan: _[j] */
#ifndef COLLAPSE_FRAMES_TIER_H
#define COLLAPSE_FRAMES_TIER_H

#include <stdbool.h>
#include <stddef.h>

#include "core/symbols/space/modules.h"

/* A name without its tier: name[0..head), then name[tail..len). */
struct tier {
	const char *annotation; /* "_[0]"; "" for none */
	size_t head, tail, len;
	bool inlined; /* not a frame of the machine's stack */
};

/* Does the module hold frames of a language's runtime ("[java]", "[python]")? */
bool tier_is_runtime(const struct module *module);

/* The tier in name[0..len) of a JIT module.  shown: annotations are shown.  If they are not, V8's mark
 * stays in the name, which is better than nothing.  marks: V8's mark stays there, whatever is shown. */
struct tier tier_of(const struct module *module, const char *name, size_t len, bool shown, bool marks);

#endif
