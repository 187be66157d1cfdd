#include "render/drawing/doubts.h"

#include <stdlib.h>
#include <string.h>

#include "core/decimal.h"
#include "core/format/folded.h"
#include "core/memory.h"
#include "render/profile/number.h"
#include "render/profile/strays.h"

enum {
	ALWAYS = 0,  /* is an alarm, however small it seems */
	NEVER = 100, /* is never an alarm */
	OF_SAMPLES_PERCENT = 1,
	OF_STACKS_PERCENT = 5,
	NAMELESS_PERCENT = 20,
	BROKEN_PERCENT = 50, /* of fewer, the picture is right in what it shows, but some of it stands at the root */
};

#define LATE_READS "late reads"

/* The losses that collapse writes (collapse/output/output.c), in words: the words for one, and those before and after a
 * larger number. */
static const struct rule {
	const char *what, *one, *before, *after;
	unsigned percent; /* the least share that is an alarm */
} rules[] = {
	{ "throttled", "Throttled once", "Throttled ", " times", OF_SAMPLES_PERCENT },
	{ LATE_READS, "Buffer over half full once", "Buffer over half full ", " times", NEVER },
	{ "CPU off", "A CPU was off once", "CPUs were off ", " times", NEVER },
	{ "clock steps", "The wall clock was set once", "The wall clock was set ", " times", NEVER },
	{ "unwritten records", "1 record not written", "", " records not written", ALWAYS },
	{ "threads not tracked", "1 thread not tracked", "", " threads not tracked", ALWAYS },
	{ "switches not tracked", "1 switch not tracked", "", " switches not tracked", OF_SAMPLES_PERCENT },
	{ "spans lost", "1 span lost", "", " spans lost", OF_SAMPLES_PERCENT },
	{ "events missed", "1 event missed", "", " events missed", OF_SAMPLES_PERCENT },
	{ "events lost", "1 event lost", "", " events lost", OF_SAMPLES_PERCENT },
	{ "stacks not taken", "1 stack not taken", "", " stacks not taken", OF_STACKS_PERCENT },
	{ "stacks by frame pointers", "1 stack by frame pointers", "", " stacks by frame pointers", OF_STACKS_PERCENT },
	{ "switches missing", "1 switch missing", "", " switches missing", OF_SAMPLES_PERCENT },
	{ "damaged", "1 damaged record", "", " damaged records", OF_SAMPLES_PERCENT },
	{ "stacks cut", "1 stack cut", "", " stacks cut", OF_STACKS_PERCENT },
	{ FOLDED_BROKEN_STACKS, "1 stack is incomplete", "", " of stacks are incomplete", BROKEN_PERCENT },
	{ "wrong lines", "1 wrong line", "", " wrong lines", OF_SAMPLES_PERCENT },
	{ STRAYS_LOSS, "1 line, hours from all others, is not drawn", "",
	  " lines, hours from all others, are not drawn", NEVER },
	{ "skipped lines", "1 line skipped before the first one", "", " lines skipped before the first one", NEVER },
	{ "stacks not recorded", "Stacks not recorded", NULL, NULL, NEVER },
	{ "file cut off", "File cut off", NULL, NULL, ALWAYS },
};

static const struct rule *drawing_doubts_rule_of(const struct doubt *doubt)
{
	for (size_t i = 0; i < sizeof(rules) / sizeof(rules[0]); i++) {
		if (!strcmp(rules[i].what, doubt->what))
			return &rules[i];
	}
	return NULL;
}

/* ---- lists ------------------------------------------------------------------ */

/* Take the number at the end of text[0..*len), and shorten *len by the number and by the word before it.  Returns 0 if
 * there is no number. */
static uint64_t drawing_doubts_take_number(const char *text, size_t *len, const char *word)
{
	size_t start = *len, n = strlen(word);

	while (start && is_digit(text[start - 1]))
		start--;
	if (start == *len || start <= n || memcmp(text + start - n, word, n))
		return 0;
	*len = start - n;
	return strtoull(text + start, NULL, 10);
}

static void add_one(struct doubts *d, const char *text, size_t len)
{
	uint64_t of = drawing_doubts_take_number(text, &len, " of "), n = drawing_doubts_take_number(text, &len, " ");

	for (size_t i = 0; i < d->count; i++) {
		if (strlen(d->items[i].what) != len || memcmp(d->items[i].what, text, len))
			continue;
		d->items[i].count += n;
		d->items[i].of += of;
		return;
	}
	d->items = xgrow(d->items, &d->cap, d->count + 1, sizeof(*d->items));
	d->items[d->count++] = (struct doubt){ xstrndup(text, len), n, of };
}

/* Add the losses of a list as above; equal ones are added up. */
static void doubts_add_list(struct doubts *d, const char *list)
{
	while (list && *list) {
		const char *end = strstr(list, ", ");

		add_one(d, list, end ? (size_t)(end - list) : strlen(list));
		list = end ? end + 2 : NULL;
	}
}

void doubts_add(struct doubts *d, const struct folded_source *source)
{
	uint64_t lost, samples;

	if (source_ratio(source, FOLDED_LOST, &lost, &samples)) {
		d->lost += lost;
		d->samples += samples;
	}
	doubts_add_list(d, source_get(source, FOLDED_LOSSES));
}

void doubts_free(struct doubts *d)
{
	for (size_t i = 0; i < d->count; i++)
		free(d->items[i].what);
	free(d->items);
	*d = (struct doubts){ 0 };
}

/* ---- judgement -------------------------------------------------------------- */

static bool drawing_doubts_is_share(uint64_t part, uint64_t whole, unsigned percent)
{
	return (__uint128_t)part * 100 >= (__uint128_t)whole * percent;
}

bool doubt_is_of_stacks(const struct doubt *doubt)
{
	return strstr(doubt->what, "stack") != NULL;
}

bool doubt_is_alarm(const struct doubts *d, const struct doubt *doubt)
{
	const struct rule *rule = drawing_doubts_rule_of(doubt);
	unsigned percent = rule ? rule->percent : doubt_is_of_stacks(doubt) ? OF_STACKS_PERCENT : OF_SAMPLES_PERCENT;
	uint64_t whole = doubt->of ? doubt->of : d->samples;

	if (percent == NEVER || percent == ALWAYS)
		return percent == ALWAYS;
	return !doubt->count || drawing_doubts_is_share(doubt->count, whole, percent);
}

bool doubts_lost_is_alarm(const struct doubts *d)
{
	return d->lost && drawing_doubts_is_share(d->lost, d->samples, OF_SAMPLES_PERCENT);
}

bool doubts_nameless_is_alarm(uint64_t part, uint64_t whole)
{
	return part && drawing_doubts_is_share(part, whole, NAMELESS_PERCENT);
}

/* ---- words ------------------------------------------------------------------ */

/* A buffer over half full lost nothing, unless another loss says so. */
static bool nothing_lost(const struct doubts *d)
{
	for (size_t i = 0; i < d->count; i++) {
		if (strstr(d->items[i].what, "lost") || !strcmp(d->items[i].what, "unwritten records"))
			return false;
	}
	return !d->lost;
}

static void add_of(struct str *out, uint64_t of)
{
	if (!of)
		return;
	str_puts(out, " of ");
	number_add(out, of);
}

void doubt_say(const struct doubts *d, const struct doubt *doubt, struct str *out)
{
	const struct rule *rule = drawing_doubts_rule_of(doubt);

	if (rule && (!rule->before || (doubt->count == 1 && !doubt->of))) {
		str_puts(out, rule->one);
	} else if (doubt->of && !strcmp(doubt->what, FOLDED_BROKEN_STACKS)) {
		percentage_add(out, doubt->count, doubt->of);
		str_puts(out, rule->after);
	} else if (rule) {
		str_puts(out, rule->before);
		number_add(out, doubt->count);
		add_of(out, doubt->of);
		str_puts(out, rule->after);
	} else {
		str_puts(out, doubt->what);
		if (doubt->count || doubt->of) {
			str_addc(out, ' ');
			number_add(out, doubt->count);
		}
		add_of(out, doubt->of);
	}
	if (rule && !strcmp(rule->what, LATE_READS) && nothing_lost(d))
		str_puts(out, "; nothing lost");
}

void doubts_say_lost(const struct doubts *d, struct str *out)
{
	if (!d->lost)
		return;
	str_puts(out, "Lost ");
	number_add(out, d->lost);
	str_puts(out, " of ");
	number_add(out, d->samples);
	str_puts(out, " samples");
	if (!d->samples)
		return;
	str_puts(out, " (");
	percentage_add(out, d->lost, d->samples);
	str_addc(out, ')');
}

void doubts_say_open(const struct folded_source *source, struct str *out)
{
	const char *open = source_get(source, FOLDED_OPEN);
	bool one = open && !strcmp(open, "1");

	if (!open || !strcmp(open, "0"))
		return;
	if (open[strspn(open, "0123456789")])
		str_puts(out, open); /* those of several recordings: "209, 5" */
	else
		number_add(out, strtoull(open, NULL, 10));
	str_addf(out, one ? " span was unfinished: it counts until the end of the recording."
			  : " spans were unfinished: they count until the end of the recording.");
}
