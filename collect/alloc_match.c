#include "collect/alloc_match.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

/* "--fail-above REGEXP=BYTES/s" */
struct limit {
	const char *text;       /* as given */
	struct regexp *re;
	uint64_t bytes_a_second;
	uint64_t bytes;         /* of all samples that have such a name */
	struct intern names;    /* that matched, with ... */
	uint64_t *of_name;      /* ... the bytes of each */
	size_t of_name_cap;
};

struct alloc_match {
	struct patterns include, exclude;
	struct limit *limits;
	size_t limit_count;
};

/* ---- what was asked for ---- */

static void compile(struct patterns *p, const struct text_list *texts, const char *option)
{
	p->list = xcalloc(texts->count + 1, sizeof(struct regexp *));
	for (; p->count < texts->count; p->count++)
		p->list[p->count] = regexp_compile(texts->items[p->count], option);
}

/* "java\.lang\..*=10M/s": the last '=' counts. */
static void read_limit(struct limit *limit, const char *text)
{
	const char *equals = strrchr(text, '=');
	char *pattern, *size;
	size_t len;

	if (!equals || equals == text)
		die_usage("--fail-above wants REGEXP=BYTES/s, such as 'String=10M/s', not '%s'", text);
	pattern = xstrndup(text, (size_t)(equals - text));
	size = xstrdup(equals + 1);
	len = strlen(size);
	if (len > 2 && !strcmp(size + len - 2, "/s"))
		size[len - 2] = '\0';
	if (!parse_size(size, &limit->bytes_a_second))
		die_usage("--fail-above wants REGEXP=BYTES/s, with BYTES such as 500k, 10M, 1G, not '%s'", text);
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
		read_limit(&m->limits[m->limit_count], limits->items[m->limit_count]);
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
	for (size_t i = 0; i < m->limit_count; i++) {
		regexp_free(m->limits[i].re);
		intern_free(&m->limits[i].names);
		free(m->limits[i].of_name);
	}
	free(m->limits);
	free(m);
}

/* ---- samples ---- */

/* The names of a sample, one after the other: its class, then its Java frames. */
struct names {
	const struct walked_sample *s;
	uint64_t klass;
	size_t next;
	const char *name;
	size_t len;             /* without how the code was made: "App.run_[j]" */
};

static size_t plain_length(const char *name)
{
	size_t len = strlen(name);

	return len > 4 && name[len - 4] == '_' && name[len - 3] == '[' && name[len - 1] == ']' ? len - 4 : len;
}

static bool next_name(struct names *n)
{
	while (n->next <= n->s->count) {
		uint64_t address = n->next ? n->s->chain[n->next - 1] : n->klass;

		n->next++;
		n->name = address ? java_stacks_name(n->s->java, n->s->pid, address) : NULL;
		if (!n->name)
			continue;
		n->len = n->next == 1 ? strlen(n->name) : plain_length(n->name);
		return true;
	}
	return false;
}

static bool matches(const struct patterns *p, const struct walked_sample *s, uint64_t klass)
{
	struct names names = { .s = s, .klass = klass };

	while (p->count && next_name(&names)) {
		for (size_t i = 0; i < p->count; i++) {
			if (regexp_match(p->list[i], names.name, names.len))
				return true;
		}
	}
	return false;
}

bool alloc_match_wants(struct alloc_match *m, const struct walked_sample *s, uint64_t klass)
{
	return (!m->include.count || matches(&m->include, s, klass)) && !matches(&m->exclude, s, klass);
}

static void count_name(struct limit *limit, const char *name, size_t len, uint64_t bytes)
{
	size_t known = limit->names.count;
	uint32_t id = intern_add(&limit->names, name, len);

	limit->of_name = xgrow(limit->of_name, &limit->of_name_cap, limit->names.count, sizeof(uint64_t));
	if (limit->names.count > known)
		limit->of_name[id] = 0;
	limit->of_name[id] += bytes;
}

/* A name counts once in a sample: of a recursion, the last. */
static bool comes_again(const struct names *n)
{
	struct names later = *n;

	while (next_name(&later)) {
		if (later.len == n->len && !memcmp(later.name, n->name, n->len))
			return true;
	}
	return false;
}

void alloc_match_count(struct alloc_match *m, const struct walked_sample *s, uint64_t klass, uint64_t bytes)
{
	for (size_t i = 0; i < m->limit_count; i++) {
		struct limit *limit = &m->limits[i];
		struct names names = { .s = s, .klass = klass };
		bool any = false;

		while (next_name(&names)) {
			if (!regexp_match(limit->re, names.name, names.len) || comes_again(&names))
				continue;
			count_name(limit, names.name, names.len, bytes);
			any = true;
		}
		if (any)
			limit->bytes += bytes;
	}
}

/* ---- the verdict ---- */

static double a_second(uint64_t bytes, uint64_t ns)
{
	return (double)bytes * NS_PER_SEC / (double)(ns ? ns : 1);
}

/* "12.3 MB/s" */
static void print_rate(double rate)
{
	static const char *const units[] = { "B", "kB", "MB", "GB", "TB" };
	size_t unit = 0;

	for (; rate >= 1000 && unit < 4; unit++)
		rate /= 1000;
	printf("%.1f %s/s", rate, units[unit]);
}

/* The one of most bytes that is not printed yet: less than below, or the same and a later one. */
static uint32_t find_next(const struct limit *limit, uint32_t last)
{
	uint32_t best = UINT32_MAX;

	for (uint32_t id = 0; id < limit->names.count; id++) {
		uint64_t bytes = limit->of_name[id];

		if (last != UINT32_MAX && (bytes > limit->of_name[last] || (bytes == limit->of_name[last] && id <= last)))
			continue;
		if (best == UINT32_MAX || bytes > limit->of_name[best])
			best = id;
	}
	return best;
}

static void print_limit(const struct limit *limit, uint64_t ns)
{
	uint32_t id = find_next(limit, UINT32_MAX);

	print_rate(a_second(limit->bytes, ns));
	printf(" is above --fail-above '%s':\n", limit->text);
	for (int i = 0; i < LISTED && id != UINT32_MAX; i++, id = find_next(limit, id)) {
		printf("  ");
		print_rate(a_second(limit->of_name[id], ns));
		printf("  %s\n", intern_text(&limit->names, id));
	}
}

size_t alloc_match_judge(const struct alloc_match *m, uint64_t ns)
{
	size_t exceeded = 0;

	for (size_t i = 0; i < m->limit_count; i++) {
		const struct limit *limit = &m->limits[i];

		if (a_second(limit->bytes, ns) <= (double)limit->bytes_a_second)
			continue;
		print_limit(limit, ns);
		exceeded++;
	}
	return exceeded;
}
