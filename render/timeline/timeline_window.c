/* The range of time that a timeline covers, and whether it covers the whole machine. */
#include <string.h>

#include "core/format/folded.h"
#include "render/profile/strays.h"
#include "render/timeline/timeline.h"

/* ---- window --------------------------------------------------------------- */

void timeline_window(struct timeline *t)
{
	struct rows_input *in = &t->in;
	bool known = rows_window_begin(in, FOLDED_START, FOLDED_END);

	if (!known || t->strays_left) {
		in->start_ns = t->span_count ? UINT64_MAX : 0;
		in->end_ns = 0;
	}
	for (size_t i = 0; i < t->span_count; i++)
		rows_window_widen(in, t->spans[i].start_ns, t->spans[i].start_ns + t->spans[i].time_ns);
	for (size_t i = 0; i < t->sample_count; i++)
		rows_window_widen(in, t->samples[i].ns, t->samples[i].ns);
	if (t->span_count && in->end_ns == in->start_ns)
		in->end_ns++; /* all spans have length 0 */
	rows_window_end(in);
}

/* Add a line that stays to the sum of its stack, and to the total. */
static void sum_again(struct timeline *t, uint32_t stack, const struct timeline_values *v)
{
	struct timeline_values *sum = &t->stacks[stack].sum;

	sum->time += v->time;
	sum->count += v->count;
	sum->migrations += v->migrations;
	sum->longest = v->longest > sum->longest ? v->longest : sum->longest;
	t->time_ns += v->time;
}

static void forget_sums(struct timeline *t)
{
	for (size_t i = 0; i < t->texts.count; i++)
		t->stacks[i].sum = (struct timeline_values){ 0 };
	t->time_ns = 0;
}

static void keep_between(struct timeline *t, uint64_t from_ns, uint64_t to_ns)
{
	size_t kept = 0;

	forget_sums(t);
	for (size_t i = 0; i < t->span_count; i++) {
		struct timeline_span s = t->spans[i];
		struct timeline_values v = timeline_values_of(t, &s);

		if (s.start_ns < from_ns || s.start_ns >= to_ns)
			continue;
		sum_again(t, s.stack, &v);
		t->spans[kept++] = s;
	}
	t->span_count = kept;
	for (size_t i = 0; i < t->sum_count; i++)
		sum_again(t, t->sums[i].stack, &t->sums[i].values);
	kept = 0;
	for (size_t i = 0; i < t->sample_count; i++) {
		if (t->samples[i].ns >= from_ns && t->samples[i].ns < to_ns)
			t->samples[kept++] = t->samples[i];
	}
	t->sample_count = kept;
}

void timeline_leave_strays(struct timeline *t)
{
	struct strays strays = { 0 };
	uint64_t from_ns, to_ns;

	for (size_t i = 0; i < t->span_count; i++)
		strays_see(&strays, t->spans[i].start_ns);
	for (size_t i = 0; i < t->sample_count; i++)
		strays_see(&strays, t->samples[i].ns);
	t->strays_left = strays_leave(&strays, "spans", &t->in.source, &from_ns, &to_ns) > 0;
	if (t->strays_left)
		keep_between(t, from_ns, to_ns);
}

/* Cut samples and stalls, and drop sums, whose time is unknown. */
static void clip_others(struct timeline *t, uint64_t from_ns, uint64_t to_ns)
{
	size_t kept = 0;

	for (size_t i = 0; i < t->sample_count; i++) {
		if (t->samples[i].ns >= from_ns && t->samples[i].ns < to_ns)
			t->samples[kept++] = t->samples[i];
	}
	t->sample_count = kept;
	kept = 0;
	for (size_t i = 0; i < t->stall_count; i++) {
		struct timeline_stall s = t->stalls[i];

		if (s.start_ns >= to_ns || s.end_ns <= from_ns)
			continue;
		s.start_ns = s.start_ns < from_ns ? from_ns : s.start_ns;
		s.end_ns = s.end_ns > to_ns ? to_ns : s.end_ns;
		t->stalls[kept++] = s;
	}
	t->stall_count = kept;
	t->sum_count = 0;
}

void timeline_clip(struct timeline *t, uint64_t from_ns, uint64_t to_ns)
{
	size_t kept = 0;

	forget_sums(t);
	for (size_t i = 0; i < t->span_count; i++) {
		struct timeline_span s = t->spans[i];
		uint64_t end = s.start_ns + s.time_ns;
		struct timeline_values v;

		if (s.start_ns >= to_ns || end < from_ns || (end == from_ns && s.time_ns))
			continue;
		s.start_ns = s.start_ns < from_ns ? from_ns : s.start_ns;
		s.time_ns = (end > to_ns ? to_ns : end) - s.start_ns;
		v = timeline_values_of(t, &s);
		v.time = s.time_ns;
		sum_again(t, s.stack, &v);
		if (s.more != TIMELINE_PLAIN)
			t->extras[s.more].time = s.time_ns;
		t->spans[kept++] = s;
	}
	t->span_count = kept;
	clip_others(t, from_ns, to_ns);
	t->in.start_ns = from_ns;
	t->in.end_ns = to_ns;
}

const char *timeline_find_window(struct timeline *t, const char *from, const char *to)
{
	uint64_t start, end;
	const char *wrong;

	if (!from && !to)
		timeline_leave_strays(t);
	timeline_window(t);
	if (!from && !to && t->in.start_ns >= t->in.end_ns)
		return "only sums of short spans, without a time";
	wrong = rows_window_part(&t->in, from, to, &start, &end);
	if (wrong)
		return wrong;
	if (from || to)
		timeline_clip(t, start, end);
	return t->time_ns ? NULL : "nothing ran in that time";
}

/* ---- of the whole machine? ------------------------------------------------ */

/* Finds the next word of text; returns its length, 0 at the end. */
static size_t timeline_window_next_word(const char **text)
{
	*text += strspn(*text, " ");
	return strcspn(*text, " ");
}

static bool timeline_window_is_word(const char *text, size_t len, const char *word)
{
	return strlen(word) == len && !memcmp(text, word, len);
}

/* "-a", "-qa", "--all-cpus" */
static bool is_all(const char *word, size_t len)
{
	return timeline_window_is_word(word, len, "--all-cpus") ||
	       (len > 1 && *word == '-' && strspn(word + 1, "qva") == len - 1 && word[len - 1] == 'a');
}

static bool is_cpus(const char *word, size_t len)
{
	return (len >= 2 && !memcmp(word, "-C", 2)) || (len >= 5 && !memcmp(word, "--cpu", 5));
}

/* Does the command record all threads: "pyrograph collect sched -a -d 3", "perf sched record"? */
static bool is_of_all(const char *command)
{
	const char *at = command;
	size_t len = timeline_window_next_word(&at), words = 0;
	const char *slash = memrchr(at, '/', len), *name = slash ? slash + 1 : at;
	bool perf = timeline_window_is_word(name, (size_t)(at + len - name), "perf"), all = false;

	for (at += len; (len = timeline_window_next_word(&at)) && !timeline_window_is_word(at, len, "--");
	     at += len, words++) {
		if (is_cpus(at, len) || at[len - 1] == ',') /* only some CPUs; several recordings */
			return false;
		all |= is_all(at, len) || (perf && !words && timeline_window_is_word(at, len, "sched"));
	}
	return all;
}

/* Did the filter only limit the time, or the states to "running": "--state running --from +1s"? */
static bool keeps_all(const char *filter)
{
	size_t len;

	for (const char *at = filter; (len = timeline_window_next_word(&at)); at += len) {
		bool state = timeline_window_is_word(at, len, "--state");

		if (!state && !timeline_window_is_word(at, len, "--from") && !timeline_window_is_word(at, len, "--to"))
			return false;
		at += len;
		len = timeline_window_next_word(&at);
		if (state && !timeline_window_is_word(at, len, "running"))
			return false;
	}
	return true;
}

bool timeline_is_whole(const struct timeline *t)
{
	const char *command = source_get(&t->in.source, FOLDED_COMMAND);
	const char *filter = source_get(&t->in.source, FOLDED_FILTER);

	return !t->in.filtered_lines && command && is_of_all(command) && (!filter || keeps_all(filter));
}
