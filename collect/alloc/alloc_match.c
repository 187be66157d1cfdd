#include "collect/alloc/alloc_match.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/amount.h"
#include "core/error.h"
#include "core/intern.h"
#include "core/memory.h"
#include "core/regexp.h"
#include "core/wallclock.h"

enum { LISTED = 10 };

struct patterns {
	struct regexp **list;
	size_t count;
};

/* The limit of an option "--fail-above REGEXP=BYTES/s". */
struct limit {
	const char *text; /* the option's text */
	struct regexp *re;
	uint64_t bytes_a_second;
	uint64_t bytes; /* bytes of all samples with a matching name */
};

/* A class or frame name, and the results of matching it when first seen. */
struct name {
	bool included, excluded;
	uint64_t looked; /* number of the last sample that has the name */
};

/* The bytes that a name accounts for, as one limit sees them. */
struct name_limit {
	bool matches;
	uint64_t bytes;
};

struct alloc_match {
	struct patterns include, exclude;
	struct limit *limits;
	size_t limit_count;
	struct intern names;
	struct name *of_names;        /* by id */
	struct name_limit *of_limits; /* index: id * limit_count + limit */
	size_t of_names_cap, of_limits_cap;
	uint32_t *seen; /* ids of the names in the last sample, each once */
	size_t seen_count, seen_cap;
	uint64_t looked; /* number of samples */
};

/* ---- what was asked for ---- */

static void compile(struct patterns *p, const struct text_list *texts, const char *option)
{
	p->list = xcalloc(texts->count + 1, sizeof(struct regexp *));
	for (; p->count < texts->count; p->count++)
		p->list[p->count] = regexp_compile(texts->items[p->count], option);
}

/* In "java\.lang\..*=10M/s", the last '=' counts. */
static void alloc_match_read_limit(struct limit *limit, const char *text)
{
	const char *equals = strrchr(text, '=');
	char *pattern, *size;
	size_t len;

	if (!equals || equals == text)
		die_usage("--fail-above needs REGEXP=BYTES/s, such as 'String=10M/s', not '%s'", text);
	pattern = xstrndup(text, (size_t)(equals - text));
	size = xstrdup(equals + 1);
	len = strlen(size);
	if (len > 2 && !strcmp(size + len - 2, "/s"))
		size[len - 2] = '\0';
	if (!parse_size(size, &limit->bytes_a_second))
		die_usage("--fail-above needs REGEXP=BYTES/s, with BYTES such as 500k, 10M, 1G, not '%s'", text);
	limit->text = text;
	limit->re = regexp_compile(pattern, "--fail-above");
	free(pattern);
	free(size);
}

struct alloc_match *alloc_match_new(const struct text_list *include, const struct text_list *exclude,
				    const struct text_list *limits)
{
	struct alloc_match *m = xcalloc(1, sizeof(*m));

	compile(&m->include, include, "--include");
	compile(&m->exclude, exclude, "--exclude");
	m->limits = xcalloc(limits->count + 1, sizeof(*m->limits));
	for (; m->limit_count < limits->count; m->limit_count++)
		alloc_match_read_limit(&m->limits[m->limit_count], limits->items[m->limit_count]);
	return m;
}

static void free_patterns(struct patterns *p)
{
	for (size_t i = 0; i < p->count; i++)
		regexp_free(p->list[i]);
	free(p->list);
}

void alloc_match_free(struct alloc_match *m)
{
	if (!m)
		return;
	free_patterns(&m->include);
	free_patterns(&m->exclude);
	for (size_t i = 0; i < m->limit_count; i++)
		regexp_free(m->limits[i].re);
	intern_free(&m->names);
	free(m->of_names);
	free(m->of_limits);
	free(m->seen);
	free(m->limits);
	free(m);
}

/* ---- samples ---- */

static bool matches(const struct patterns *p, const char *name, size_t len)
{
	for (size_t i = 0; i < p->count; i++) {
		if (regexp_match(p->list[i], name, len))
			return true;
	}
	return false;
}

/* The id of a name.  Expressions are tried only once per name. */
static uint32_t alloc_match_find_name(struct alloc_match *m, const char *name, size_t len)
{
	size_t known = m->names.count;
	uint32_t id = intern_add(&m->names, name, len);
	struct name_limit *limits;

	if (m->names.count == known)
		return id;
	m->of_names = xgrow(m->of_names, &m->of_names_cap, known + 1, sizeof(*m->of_names));
	m->of_limits = xgrow(m->of_limits, &m->of_limits_cap, (known + 1) * m->limit_count, sizeof(*m->of_limits));
	m->of_names[id] = (struct name){ .included = matches(&m->include, name, len),
					 .excluded = matches(&m->exclude, name, len) };
	limits = &m->of_limits[id * m->limit_count];
	for (size_t i = 0; i < m->limit_count; i++)
		limits[i] = (struct name_limit){ .matches = regexp_match(m->limits[i].re, name, len) };
	return id;
}

/* The name of a frame without its annotation: "App.run_[j]". */
static size_t plain_length(const char *name)
{
	size_t len = strlen(name);

	return len > 4 && name[len - 4] == '_' && name[len - 3] == '[' && name[len - 1] == ']' ? len - 4 : len;
}

static void alloc_match_see(struct alloc_match *m, const struct walked_sample *s, uint64_t address)
{
	const char *name = address ? java_stacks_name(s->java, s->pid, address) : NULL;
	uint32_t id;

	if (!name)
		return;
	id = alloc_match_find_name(m, name, plain_length(name));
	if (m->of_names[id].looked == m->looked)
		return; /* the name was already seen in this sample: a recursion */
	m->of_names[id].looked = m->looked;
	m->seen = xgrow(m->seen, &m->seen_cap, m->seen_count + 1, sizeof(*m->seen));
	m->seen[m->seen_count++] = id;
}

bool alloc_match_wants(struct alloc_match *m, const struct walked_sample *s, uint64_t klass)
{
	bool included = !m->include.count, excluded = false;

	m->seen_count = 0;
	m->looked++;
	if (!m->include.count && !m->exclude.count && !m->limit_count)
		return true;
	alloc_match_see(m, s, klass);
	for (size_t i = 0; i < s->count; i++)
		alloc_match_see(m, s, s->chain[i]);
	for (size_t i = 0; i < m->seen_count; i++) {
		included |= m->of_names[m->seen[i]].included;
		excluded |= m->of_names[m->seen[i]].excluded;
	}
	return included && !excluded;
}

void alloc_match_count(struct alloc_match *m, uint64_t bytes)
{
	for (size_t i = 0; i < m->limit_count; i++) {
		bool any = false;

		for (size_t k = 0; k < m->seen_count; k++) {
			struct name_limit *of = &m->of_limits[m->seen[k] * m->limit_count + i];

			of->bytes += of->matches ? bytes : 0;
			any |= of->matches;
		}
		m->limits[i].bytes += any ? bytes : 0;
	}
}

/* ---- the verdict ---- */

static void alloc_match_add_rate(struct str *out, uint64_t bytes, uint64_t ns)
{
	size_add(out, (uint64_t)((__uint128_t)bytes * NS_PER_SEC / (ns ? ns : 1)));
	str_puts(out, "/s");
}

static uint64_t alloc_match_bytes_of(const struct alloc_match *m, uint32_t id, size_t limit)
{
	return m->of_limits[id * m->limit_count + limit].bytes;
}

/* The name with the most bytes after the one that was returned last; UINT32_MAX: none. */
static uint32_t find_next(const struct alloc_match *m, size_t limit, uint32_t last)
{
	uint64_t most = last == UINT32_MAX ? UINT64_MAX : alloc_match_bytes_of(m, last, limit);
	uint32_t best = UINT32_MAX;

	for (uint32_t id = 0; id < m->names.count; id++) {
		uint64_t bytes = alloc_match_bytes_of(m, id, limit);

		if (!bytes || bytes > most || (bytes == most && last != UINT32_MAX && id <= last))
			continue;
		if (best == UINT32_MAX || bytes > alloc_match_bytes_of(m, best, limit))
			best = id;
	}
	return best;
}

static void print_limit(const struct alloc_match *m, size_t limit, uint64_t ns)
{
	uint32_t id = find_next(m, limit, UINT32_MAX);
	struct str out = { 0 };

	alloc_match_add_rate(&out, m->limits[limit].bytes, ns);
	str_addf(&out, " is above --fail-above '%s':\n", m->limits[limit].text);
	for (int i = 0; i < LISTED && id != UINT32_MAX; i++, id = find_next(m, limit, id)) {
		str_puts(&out, "  ");
		alloc_match_add_rate(&out, alloc_match_bytes_of(m, id, limit), ns);
		str_addf(&out, "  %s\n", intern_text(&m->names, id));
	}
	fputs(out.buf, stdout);
	str_free(&out);
}

static bool is_exceeded(const struct limit *l, double bytes, uint64_t ns)
{
	return bytes * NS_PER_SEC > (double)l->bytes_a_second * (double)ns;
}

size_t alloc_match_judge(const struct alloc_match *m, uint64_t ns)
{
	size_t exceeded = 0;

	for (size_t i = 0; i < m->limit_count; i++) {
		if (!is_exceeded(&m->limits[i], (double)m->limits[i].bytes, ns))
			continue;
		print_limit(m, i, ns);
		exceeded++;
	}
	return exceeded;
}

size_t alloc_match_doubt(const struct alloc_match *m, uint64_t ns, double lost)
{
	size_t doubtful = 0;

	for (size_t i = 0; i < m->limit_count; i++) {
		const struct limit *l = &m->limits[i];
		struct str rate = { 0 };

		if (is_exceeded(l, (double)l->bytes, ns) || !is_exceeded(l, (double)l->bytes + lost, ns))
			continue;
		alloc_match_add_rate(&rate, l->bytes, ns);
		error("--fail-above '%s' is undecided: at least %s; losses could exceed the limit", l->text, rate.buf);
		str_free(&rate);
		doubtful++;
	}
	return doubtful;
}
