#include "collect/windows/between.h"

#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/memory.h"
#include "core/nearest.h"

/* HotSpot's own functions, which in JDK 17 to 25 are called rather than inlined, and need no flag. */
static const struct {
	const char *word;
	struct between_event begin, end;
} jvm_words[] = {
	{ "safepoint",
	  { BETWEEN_FUNCTION, "libjvm.so", NULL, "SafepointSynchronize::begin", NULL },
	  { BETWEEN_FUNCTION, "libjvm.so", NULL, "SafepointSynchronize::end", NULL } },
	{ "time-to-safepoint",
	  { BETWEEN_FUNCTION, "libjvm.so", NULL, "SafepointSynchronize::arm_safepoint", "SafepointSynchronize::begin" },
	  { BETWEEN_FUNCTION, "libjvm.so", NULL, "RuntimeService::record_safepoint_synchronized", NULL } },
};

enum { WORDS = sizeof(jvm_words) / sizeof(*jvm_words), PARTS_MAX = 5 };

static char *between_copy(const char *text)
{
	return text ? xstrdup(text) : NULL;
}

static struct between_event copy_event(const struct between_event *e)
{
	return (struct between_event){ e->kind, between_copy(e->file), between_copy(e->group), between_copy(e->name),
				       e->other };
}

/* ---- one event ---- */

/* Split text[0..len) at single colons, but not at those of "ns::name".  Returns the number of parts, at most
 * PARTS_MAX. */
static size_t between_part(const char *text, size_t len, char *parts[PARTS_MAX])
{
	size_t count = 0, begin = 0;

	for (size_t i = 0; i <= len; i++) {
		bool last = i == len;

		if (!last && text[i] == ':' && i + 1 < len && text[i + 1] == ':') {
			i++;
			continue;
		}
		if (!last && text[i] != ':')
			continue;
		if (count < PARTS_MAX)
			parts[count++] = xstrndup(text + begin, i - begin);
		begin = i + 1;
	}
	return count;
}

static bool between_take_event(struct between_event *e, char *parts[PARTS_MAX], size_t count)
{
	bool returns = count > 1 && !strcmp(parts[count - 1], "return");
	bool usdt = count > 2 && !strcmp(parts[0], "usdt");
	bool tracepoint = count > 2 && (!strcmp(parts[0], "tracepoint") || !strcmp(parts[0], "t"));
	size_t first = usdt || tracepoint, left = count - first - (returns && !usdt && !tracepoint);
	bool grouped = tracepoint || usdt || left == 3;

	for (size_t i = 0; i < count; i++) {
		if (!*parts[i])
			return false;
	}
	if (count == 2 && (!strcmp(parts[0], "usdt") || !strcmp(parts[0], "tracepoint")))
		return false;
	if (!left || left > 3 || (tracepoint && left != 2) || (usdt && left < 2) || (returns && left == 3))
		return false;
	e->kind = tracepoint ? BETWEEN_TRACEPOINT
		  : grouped  ? BETWEEN_USDT
		  : returns  ? BETWEEN_RETURN
			     : BETWEEN_FUNCTION;
	e->name = between_copy(parts[first + left - 1]);
	e->group = grouped ? between_copy(parts[first + left - 2]) : NULL;
	e->file = left > (grouped ? 2u : 1u) ? between_copy(parts[first]) : NULL;
	return true;
}

static void parse_event(struct between_event *e, const char *text, size_t len)
{
	char *parts[PARTS_MAX];
	size_t count = between_part(text, len, parts);

	if (count == PARTS_MAX || !between_take_event(e, parts, count))
		die_usage(
			"--between: '%.*s' is not [FILE:]FUNCTION[:return], FILE:PROVIDER:NAME, usdt:PROVIDER:NAME or "
			"tracepoint:CATEGORY:NAME",
			(int)len, text);
	for (size_t i = 0; i < count; i++)
		free(parts[i]);
}

/* ---- both ---- */

/* The comma between two events, as opposed to that in "f<a,b>"; NULL: there is none. */
static const char *find_comma(const char *text)
{
	int depth = 0;

	for (; *text; text++) {
		depth += *text == '<' || *text == '(';
		depth -= (*text == '>' || *text == ')') && depth;
		if (*text == ',' && !depth)
			return text;
	}
	return NULL;
}

static bool parse_word(struct between *b, const char *text)
{
	for (size_t i = 0; i < WORDS; i++) {
		if (strcmp(jvm_words[i].word, text) != 0)
			continue;
		b->begin = copy_event(&jvm_words[i].begin);
		b->end = copy_event(&jvm_words[i].end);
		b->whole_process = true;
		return true;
	}
	return false;
}

static void parse_events(struct between *b, const char *text)
{
	const char *comma = find_comma(text);

	if (comma && find_comma(comma + 1))
		die_usage("--between: '%s' has more than two events", text);
	parse_event(&b->begin, text, comma ? (size_t)(comma - text) : strlen(text));
	if (comma) {
		parse_event(&b->end, comma + 1, strlen(comma + 1));
		b->same = strlen(comma + 1) == (size_t)(comma - text) &&
			  !strncmp(text, comma + 1, (size_t)(comma - text));
		return;
	}
	if (b->begin.kind != BETWEEN_FUNCTION)
		die_usage(
			"--between: '%s' is one event: add where the window ends, A,B; only a function ends by itself",
			text);
	b->end = copy_event(&b->begin);
	b->end.kind = BETWEEN_RETURN;
}

void between_parse(struct between *b, const char *text, const char *of)
{
	static const char *const scopes[] = { "thread", "process" };

	if (!parse_word(b, text))
		parse_events(b, text);
	if (of && strcmp(of, scopes[0]) != 0 && strcmp(of, scopes[1]) != 0)
		nearest_die("--between-of", of, scopes, 2);
	if (of)
		b->whole_process = !strcmp(of, scopes[1]);
}

static void free_event(struct between_event *e)
{
	free(e->file);
	free(e->group);
	free(e->name);
}

void between_free(struct between *b)
{
	free_event(&b->begin);
	free_event(&b->end);
	*b = (struct between){ 0 };
}
