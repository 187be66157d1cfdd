#include "collapse/frames/tier.h"

#include <string.h>

#include "core/format/folded.h"
#include "core/format/v8_mark.h"

bool tier_is_runtime(const struct module *module)
{
	return module->kind == MODULE_JIT && path_is_runtime(module->path, strlen(module->path));
}

/* Java names end in their tier; names of classes have none. */
static struct tier runtime_tier(const char *name, size_t len, bool shown)
{
	static const char *const ends[] = { FOLDED_INTERPRETED_FRAME, FOLDED_QUICK_FRAME,  FOLDED_JIT_FRAME,
					    FOLDED_INLINED_FRAME,     FOLDED_LIKELY_FRAME, FOLDED_PYTHON_FRAME };

	for (size_t i = 0; i < sizeof(ends) / sizeof(*ends); i++) {
		size_t end = strlen(ends[i]);
		bool likely = !strcmp(ends[i], FOLDED_LIKELY_FRAME);
		bool inlined = likely || !strcmp(ends[i], FOLDED_INLINED_FRAME);
		const char *hidden = inlined ? FOLDED_INLINED_FRAME : "";

		if (len > end && !memcmp(name + len - end, ends[i], end))
			return (struct tier){ shown ? ends[i] : hidden, len - end, len, len, inlined };
	}
	return (struct tier){ "", len, len, len, false };
}

static struct tier v8_tier(const char *name, size_t len)
{
	size_t tail = 0, at = v8_mark(name, len, &tail);
	const char *annotation;

	if (!at)
		return (struct tier){ FOLDED_JIT_FRAME, len, len, len, false };
	annotation = name[at] == '~'   ? FOLDED_INTERPRETED_FRAME
		     : name[at] == '*' ? FOLDED_JIT_FRAME
				       : FOLDED_QUICK_FRAME;
	return (struct tier){ annotation, at, tail, len, false };
}

struct tier tier_of(const struct module *module, const char *name, size_t len, bool shown, bool marks)
{
	struct tier tier;

	if (tier_is_runtime(module))
		return runtime_tier(name, len, shown);
	tier = shown ? v8_tier(name, len) : (struct tier){ "", len, len, len, false };
	if (marks)
		tier.head = tier.tail = len;
	return tier;
}
