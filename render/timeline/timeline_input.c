#include "render/timeline/timeline_input.h"

#include "core/wallclock.h"
#include "render/drawing/common_options.h"
#include "render/timeline/timeline_code.h"

int timeline_read_all(struct timeline *t, const struct bars_style *style, bool sums, char **argv, int count)
{
	const struct timeline_filter filter = { style->lines, sums };

	argv = inputs_or_stdin(argv, &count);
	for (int i = 0; i < count; i++) {
		if (timeline_read(t, argv[i], &filter) < 0)
			return -1;
	}
	return 0;
}

const char *timeline_why_nothing(const struct timeline *t)
{
	const char *why = bars_why_no_lines(t->lines, t->filtered_lines, t->bad_lines);

	if (why)
		return why;
	return t->time_ns ? NULL : "all values are zero";
}

const char *timeline_find_window(struct timeline *t, const char *from_text, const char *to_text)
{
	struct instant from = wanted_instant(from_text, "--from"), to = wanted_instant(to_text, "--to");
	uint64_t start, end;

	if (!from_text && !to_text)
		timeline_leave_strays(t);
	timeline_window(t);
	start = from_text ? instant_resolve(&from, t->start_ns, t->end_ns) : t->start_ns;
	end = to_text ? instant_resolve(&to, t->start_ns, t->end_ns) : t->end_ns;
	if (start >= end)
		return from_text || to_text ? "--from is not before --to" : "only sums of short spans, without a time";
	if (end - start >= TIMELINE_NS_MAX)
		return "the lines span more than 104 days: give --from, --to";
	if (from_text || to_text)
		timeline_clip(t, start, end);
	return t->time_ns ? NULL : "nothing ran in that time";
}
