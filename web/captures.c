#include "web/captures.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/format/picture.h"
#include "core/hash.h"
#include "core/intern.h"
#include "core/memory.h"
#include "core/opts.h"
#include "core/sorted.h"
#include "core/wallclock.h"

static const char THREADS[] = "-threads";

static size_t without_threads(const char *path, size_t len)
{
	size_t suffix = strlen(THREADS);

	return len > suffix && !memcmp(path + len - suffix, THREADS, suffix) ? len - suffix : len;
}

/* The length of path without its type: "a/b.svg" -> "a/b". */
static size_t stem_len(const char *path)
{
	const char *slash = strrchr(path, '/'), *dot = strrchr(path, '.');

	return dot && (!slash || dot > slash) ? (size_t)(dot - path) : strlen(path);
}

/* What report appends to the name of a run, in the order in which people look: when was it, which thread ran, which one
 * waited. */
static const char *const suffixes[] = { "-timeline",   "",
					"-wall",       "-offcpu",
					"-heat",       "-latency",
					"-faults",     "-faults-latency",
					"-syscalls",   "-syscalls-latency",
					"-io",         "-io-latency",
					"-locks",      "-locks-latency",
					"-lanes",      "-states",
					"-tenancy",    "-wakeup",
					"-processes",  "-alloc",
					"-noise",      "-noise-latency",
					"-noise-heat", "-why" };

enum { SUFFIXES = sizeof(suffixes) / sizeof(*suffixes) };

static bool captures_ends_in(const char *path, size_t len, const char *suffix)
{
	size_t suffix_len = strlen(suffix);

	return len > suffix_len && path[len - suffix_len - 1] != '/' &&
	       !memcmp(path + len - suffix_len, suffix, suffix_len);
}

/* "a/db1-T1-heat" -> "a/db1-T1": the name of the run. */
static size_t without_chart(const char *path, size_t len)
{
	size_t longest = 0; /* "-latency" may be the end of a longer suffix */

	for (size_t i = 0; i < SUFFIXES; i++) {
		if (strlen(suffixes[i]) > longest && captures_ends_in(path, len, suffixes[i]))
			longest = strlen(suffixes[i]);
	}
	return len - longest;
}

/* The place of a chart on the page, by the chart's name.  Charts with unknown names come last. */
static unsigned captures_rank_of(const char *path, size_t key_len)
{
	size_t len = stem_len(path);

	for (unsigned i = 0; i < SUFFIXES; i++) {
		if (len - key_len == strlen(suffixes[i]) && !memcmp(path + key_len, suffixes[i], len - key_len))
			return i;
	}
	return SUFFIXES;
}

/* The longest prefix of path that is a recording's name.  If the recording is missing, the name of the run without that
 * of the chart. */
static size_t run_len(const struct intern *recordings, const char *path, size_t len)
{
	for (size_t i = len; i && path[i - 1] != '/'; i--) {
		bool at_word = i == len || path[i] == '-' || path[i] == '.';

		if (at_word && intern_find(recordings, path, i) != UINT32_MAX)
			return i;
	}
	return without_chart(path, len);
}

static struct member make_member(const struct web_picture *p, const struct intern *recordings, struct arena *text)
{
	const char *slash = strrchr(p->path, '/');
	size_t dir_len = slash ? (size_t)(slash - p->path) : 0;
	size_t whole_len = without_threads(p->path, dir_len), len;
	struct member m = { .picture = p, .role = MEMBER_PICTURE };

	if (p->type == PICTURE_RECORDING || p->type == PICTURE_FOLDED || p->type == PICTURE_TEXT)
		m.role = MEMBER_SOURCE;
	if (whole_len < dir_len && p->path[whole_len - 1] != '/') {
		m.role = m.role == MEMBER_PICTURE ? MEMBER_THREAD : m.role;
		len = run_len(recordings, p->path, whole_len);
	} else {
		len = stem_len(p->path);
		len = run_len(recordings, p->path, without_threads(p->path, len));
	}
	m.key = arena_strdup(text, p->path, len);
	if (m.role == MEMBER_PICTURE)
		m.rank = captures_rank_of(p->path, len);
	if (p->about.facts[FACT_TOTAL])
		parse_u64(p->about.facts[FACT_TOTAL], &m.total);
	return m;
}

/* Compared without file types, so that x.svg comes before x-heat.svg. */
static int compare_paths(const char *a, const char *b)
{
	size_t a_len = stem_len(a), b_len = stem_len(b);

	return strncmp(a, b, a_len < b_len ? a_len : b_len) ?: ORDER(a_len, b_len) ?: strcmp(a, b);
}

/* Members of a capture: pictures, threads (the largest first), sources. */
static int compare_members(const void *left, const void *right)
{
	const struct member *a = left, *b = right;

	return strcmp(a->key, b->key) ?: ORDER(a->role, b->role) ?:
	       (a->role == MEMBER_THREAD ? ORDER(b->total, a->total) : ORDER(a->rank, b->rank)) ?:
	       compare_paths(a->picture->path, b->picture->path);
}

const char *capture_host(const struct web_capture *c)
{
	const char *host = c->about ? c->about->facts[FACT_HOST] : NULL;

	return host ? host : "";
}

void capture_page(char name[RUN_FILE_NAME], const struct web_capture *c)
{
	run_file_name(name, c->members->key, ".html");
}

const struct web_picture *capture_chart(const struct web_capture *c, const char *suffix)
{
	for (size_t i = 0; i < c->count; i++) {
		const struct member *m = &c->members[i];

		if (m->role == MEMBER_PICTURE && m->rank < SUFFIXES && !strcmp(suffixes[m->rank], suffix))
			return m->picture;
	}
	return NULL;
}

/* One chart has the whole headline; others have the line that says what they show. */
const char *capture_headline(const struct web_capture *c)
{
	const char *line = NULL;

	for (size_t i = 0; i < c->count; i++) {
		const char *headline = c->members[i].picture->about.facts[FACT_HEADLINE];
		const char *end = headline ? strchr(headline, '\n') : NULL;

		if (end && end[1])
			return headline;
		if (headline && !line)
			line = headline;
	}
	return line;
}

const char *capture_headline_line(const struct web_capture *c, size_t number)
{
	const char *text = capture_headline(c);

	for (; text && number; number--) {
		text = strchr(text, '\n');
		text = text ? text + 1 : NULL;
	}
	return text && *text ? text : NULL;
}

const char *capture_fact(const struct web_capture *c)
{
	const char *second = capture_headline_line(c, 1);
	bool is_second = second && !strncmp(second, HEADLINE_NOTHING, strlen(HEADLINE_NOTHING));

	return is_second || capture_headline_line(c, 2) ? second : capture_headline_line(c, 0);
}

const char *capture_title(const struct web_picture *p)
{
	const char *thread = p->about.facts[FACT_THREAD], *title = p->about.facts[FACT_TITLE];
	const char *slash = strrchr(p->path, '/');

	return thread ? thread : title ? title : slash && slash[1] ? slash + 1 : p->path;
}

/* Newest first; then by host, and by name. */
static int compare_captures(const void *left, const void *right)
{
	const struct web_capture *a = left, *b = right;

	return ORDER(b->start_ns, a->start_ns) ?: strcmp(capture_host(a), capture_host(b)) ?:
	       strcmp(a->members->key, b->members->key);
}

static bool captures_parse_time(const char *text, uint64_t *ns)
{
	struct instant when;

	if (!text || !instant_parse(text, &when) || when.kind != INSTANT_EPOCH)
		return false;
	*ns = when.ns;
	return true;
}

static void set_times(struct web_capture *c)
{
	struct str text = { 0 };

	if (c->about && captures_parse_time(c->about->facts[FACT_START], &c->start_ns)) {
		c->timed = true;
		captures_parse_time(c->about->facts[FACT_END], &c->end_ns);
	} else {
		for (size_t i = 0; i < c->count; i++) {
			uint64_t written_ns = c->members[i].picture->mtime_ns;

			c->start_ns = written_ns > c->start_ns ? written_ns : c->start_ns;
		}
	}
	wallclock_add(&text, c->start_ns);
	memcpy(c->day, text.buf, sizeof(c->day) - 1);
	str_free(&text);
}

/* Make the capture that begins at members[0] and has at most left members. */
static struct web_capture make_capture(const struct member *members, size_t left)
{
	struct web_capture c = { .members = members };

	while (c.count < left && !strcmp(members[c.count].key, members[0].key)) {
		const struct picture_metadata *about = &members[c.count++].picture->about;

		if (!c.about && (about->facts[FACT_HOST] || about->facts[FACT_START]))
			c.about = about;
	}
	set_times(&c);
	return c;
}

static void find_recordings(struct intern *recordings, const struct pictures *all)
{
	for (size_t i = 0; i < all->count; i++) {
		const struct web_picture *p = &all->items[i];

		if (p->type == PICTURE_RECORDING)
			intern_add(recordings, p->path, stem_len(p->path));
	}
}

void captures_make(struct captures *c, const struct pictures *all)
{
	struct intern recordings = { 0 };

	*c = (struct captures){ 0 };
	find_recordings(&recordings, all);
	c->members = xcalloc(all->count + 1, sizeof(*c->members));
	c->items = xcalloc(all->count + 1, sizeof(*c->items));
	for (size_t i = 0; i < all->count; i++)
		c->members[i] = make_member(&all->items[i], &recordings, &c->text);
	qsort(c->members, all->count, sizeof(*c->members), compare_members);
	for (size_t i = 0; i < all->count; i += c->items[c->count++].count)
		c->items[c->count] = make_capture(&c->members[i], all->count - i);
	qsort(c->items, c->count, sizeof(*c->items), compare_captures);
	intern_free(&recordings);
}

void captures_free(struct captures *c)
{
	free(c->items);
	free(c->members);
	arena_free(&c->text);
	*c = (struct captures){ 0 };
}
