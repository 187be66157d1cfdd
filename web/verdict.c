#include "web/verdict.h"

#include <stdlib.h>
#include <string.h>

#include "core/opts.h"

static const char *const colours[] = { "red", "orange", "yellow", "green", "blue", "purple", "grey" };

static const char *const field_names[VERDICT_FIELDS] = {
	[VERDICT_LOST] = "lost",     [VERDICT_UNRESOLVED] = "unresolved", [VERDICT_MAX] = "max",
	[VERDICT_LENGTH] = "length", [VERDICT_SAMPLES] = "samples",       [VERDICT_CPUS] = "cpus",
};

const char *verdict_mark(size_t i)
{
	static const char *const marks[VERDICTS_MAX] = {
		"\xe2\x97\x8f", "\xe2\x96\xb2", "\xe2\x96\xa0", "\xe2\x97\x86",
		"\xe2\x98\x85", "\xe2\x9c\x9a", "\xe2\x96\xbc", "\xe2\x97\x8b"
	};

	return marks[i % VERDICTS_MAX];
}

/* ---- a rule --------------------------------------------------------------------- */

static const char *find_colour(const char *colour)
{
	if (!strcmp(colour, "gray"))
		colour = "grey";
	for (size_t i = 0; i < sizeof(colours) / sizeof(*colours); i++) {
		if (!strcmp(colour, colours[i]))
			return colours[i];
	}
	return NULL;
}

/* "offcpu.max" */
static bool parse_field(struct verdict *v, const char *text, size_t len)
{
	const char *dot = memrchr(text, '.', len);
	const char *name = dot ? dot + 1 : text;
	size_t name_len = (size_t)(text + len - name);

	v->chart = text;
	v->chart_len = dot ? (size_t)(dot - text) : 0;
	for (v->field = 0; v->field < VERDICT_FIELDS; v->field++) {
		if (strlen(field_names[v->field]) == name_len && !memcmp(field_names[v->field], name, name_len))
			return true;
	}
	return false;
}

/* A decimal number times unit. */
static bool parse_decimal(const char *text, double unit, uint64_t *value)
{
	char *end;
	double number = strtod(text, &end);

	if (end == text || *end || !(number >= 0) || number > 1e12 || strspn(text, "0123456789.") != strlen(text))
		return false;
	*value = (uint64_t)(number * unit + 0.5);
	return true;
}

static bool verdict_parse_value(struct verdict *v, char *value)
{
	size_t len = strlen(value);

	switch (v->field) {
	case VERDICT_MAX:
	case VERDICT_LENGTH: return parse_duration(value, &v->value);
	case VERDICT_CPUS: return parse_decimal(value, 1000, &v->value);
	case VERDICT_SAMPLES: return parse_u64(value, &v->value);
	default: v->share = len && value[len - 1] == '%';
	}
	if (!v->share)
		return parse_u64(value, &v->value);
	value[len - 1] = '\0';
	return parse_decimal(value, 10000, &v->value);
}

const char *verdicts_try(struct verdicts *all, const char *text)
{
	struct verdict *v = &all->rules[all->count];
	const char *colon = strrchr(text, ':'), *sign = strpbrk(text, "<>"), *at;
	char value[32] = "";

	if (all->count == VERDICTS_MAX)
		return "there are not so many marks: eight rules at most";
	if (!colon || !sign || sign > colon || strchr(text, '\n'))
		return "expected a field, '>' or '<', a value, ':' and a colour";
	*v = (struct verdict){ .text = text, .text_len = (size_t)(colon - text), .colour = find_colour(colon + 1) };
	if (!v->colour)
		return "expected a colour (red, orange, yellow, green, blue, purple, grey) after ':'";
	if (!parse_field(v, text, (size_t)(sign - text)))
		return "expected lost, unresolved, max, length, samples or cpus before the comparison";
	at = sign + 1 + (sign[1] == '=');
	v->compare = (*sign == '<' ? VERDICT_BELOW : VERDICT_ABOVE) + (sign[1] == '=');
	if ((size_t)(colon - at) < sizeof(value))
		memcpy(value, at, (size_t)(colon - at));
	if (!verdict_parse_value(v, value))
		return "the value does not fit the field";
	all->count++;
	return NULL;
}

/* ---- a run ---------------------------------------------------------------------- */

static bool holds(const struct verdict *v, uint64_t value)
{
	switch (v->compare) {
	case VERDICT_ABOVE: return value > v->value;
	case VERDICT_NOT_BELOW: return value >= v->value;
	case VERDICT_BELOW: return value < v->value;
	default: return value <= v->value;
	}
}

static bool verdict_is_text(const char *text, const struct verdict *v)
{
	return text && strlen(text) == v->chart_len && !memcmp(text, v->chart, v->chart_len);
}

/* "cpu-clock,sched,offcpu": a chart of several events counts for each of them. */
static bool verdict_has_event(const char *list, const struct verdict *v)
{
	for (size_t len; list && *list; list += len + (list[len] == ',')) {
		len = strcspn(list, ",");
		if (len == v->chart_len && !memcmp(list, v->chart, len))
			return true;
	}
	return false;
}

static bool looks_at(const struct verdict *v, const struct picture_metadata *about)
{
	return !v->chart_len || verdict_is_text(about->facts[FACT_KIND], v) ||
	       verdict_has_event(about->facts[FACT_EVENT], v);
}

static bool share_holds(const struct verdict *v, const char *fact)
{
	struct ratio r;

	return !ratio_parse(&r, fact) && r.whole && holds(v, v->share ? ratio_millionths(&r) : r.part);
}

static bool picture_holds(const struct verdict *v, const struct member *m)
{
	const char *const *facts = m->picture->about.facts;
	uint64_t ns;

	switch (v->field) {
	case VERDICT_LOST: return share_holds(v, facts[FACT_LOST]);
	case VERDICT_UNRESOLVED: return share_holds(v, facts[FACT_UNRESOLVED]);
	case VERDICT_MAX: return facts[FACT_LONGEST] && parse_u64(facts[FACT_LONGEST], &ns) && holds(v, ns);
	case VERDICT_SAMPLES: return facts[FACT_UNIT] && !strcmp(facts[FACT_UNIT], "samples") && holds(v, m->total);
	default: return false;
	}
}

static bool run_holds(const struct verdict *v, const struct web_capture *c, const struct figures *f)
{
	if (v->field == VERDICT_LENGTH)
		return f->length_ns && holds(v, f->length_ns);
	if (v->field == VERDICT_CPUS)
		return f->has_cpus && holds(v, f->cpus_milli);
	if (v->field == VERDICT_MAX && !v->chart_len)
		return f->longest && holds(v, f->longest_ns);
	for (size_t i = 0; i < c->count; i++) {
		const struct member *m = &c->members[i];

		if (m->role == MEMBER_PICTURE && looks_at(v, &m->picture->about) && picture_holds(v, m))
			return true;
	}
	return false;
}

unsigned verdicts_judge(const struct verdicts *all, const struct web_capture *c, const struct figures *f)
{
	unsigned under = 0;

	for (size_t i = 0; i < all->count; i++)
		under |= (unsigned)run_holds(&all->rules[i], c, f) << i;
	return under;
}
