#include "collapse/perfdata/tracing.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "collapse/perfdata/record.h"
#include "core/memory.h"

/* --- the text of a format --------------------------------------------------------- */

/* The tracepoints that are needed, and their fields. */
static const struct {
	const char *name, *tid, *next, *state, *comm, *next_comm;
	enum sched_kind kind;
} wanted[] = {
	{ "sched_switch", "prev_pid", "next_pid", "prev_state", "prev_comm[16]", "next_comm[16]", SCHED_SWITCH },
	{ "sched_wakeup", "pid", "target_cpu", NULL, "comm[16]", NULL, SCHED_WAKEUP },
	{ "sched_waking", "pid", "target_cpu", NULL, "comm[16]", NULL, SCHED_WAKING },
	{ "sched_wakeup_new", "pid", "target_cpu", NULL, "comm[16]", NULL, SCHED_WAKEUP_NEW },
	{ "sched_stat_runtime", "pid", NULL, "runtime", NULL, NULL, SCHED_RUNTIME },
	{ "sched_migrate_task", "pid", "dest_cpu", NULL, NULL, NULL, SCHED_MIGRATE },
};

/* The number after the first occurrence of key on the line. */
static bool tracing_line_number(const char *line, const char *key, uint32_t *n)
{
	const char *at = strstr(line, key);
	char *end;
	unsigned long value;

	if (!at)
		return false;
	at += strlen(key);
	value = strtoul(at, &end, 10);
	*n = (uint32_t)value;
	return end > at && value < 1 << 16;
}

/* "\tfield:pid_t prev_pid;\toffset:24;\tsize:4;\tsigned:1;" */
static struct tracing_field find_field(const char *text, const char *name)
{
	size_t name_len = name ? strlen(name) : 0;
	struct tracing_field field = { 0 };

	for (const char *at = text; name && (at = strstr(at, "field:"));) {
		size_t len = strcspn(at, ";\n"), line_len = strcspn(at, "\n");
		char line[256];

		if (len > name_len && at[len] == ';' && line_len < sizeof(line) && at[len - name_len - 1] == ' ' &&
		    !memcmp(at + len - name_len, name, name_len)) {
			memcpy(line, at + len, line_len - len);
			line[line_len - len] = '\0';
			if (tracing_line_number(line, "offset:", &field.offset) &&
			    tracing_line_number(line, "size:", &field.size))
				return field;
		}
		at += line_len;
	}
	return (struct tracing_field){ 0 };
}

/* The letters of prev_state's bits, as in "print fmt":
 *
 *     { 0x00000001, "S" }, { 0x00000002, "D" }, ...       (since 4.14)
 *     { 1, "S"} , { 2, "D" }, { 4, "T" }, ...             (before)
 *
 * Before 4.14, Z, X and P are other bits. */
static void read_letters(struct tracing_format *f, const char *print)
{
	for (const char *at = print; (at = strchr(at, '{'));) {
		char *end;
		unsigned long long bit = strtoull(at + 1, &end, 0);

		if (bit && !(bit & (bit - 1)) && !strncmp(end, ", \"", 3) && end[3])
			f->letters[__builtin_ctzll(bit)] = end[3];
		at++;
	}
}

/* The bit that is shown as "+": the thread was preempted, whatever its state was:
 *
 *     REC->prev_state & (((0x0 | 0x1 | ... | 0x40) + 1) << 1) ? "+" : ""   (since 4.14)
 *     REC->prev_state & 2048 ? "+" : ""                                    (before)
 *
 * The plain number is TASK_STATE_MAX.  The other form is TASK_REPORT_MAX, the bit above the last bit that has a letter
 * (TASK_REPORT_IDLE).  Kernels before 2.6.37 have neither. */
static void read_preempted(struct tracing_format *f, const char *print)
{
	const char *plus = strstr(print, "? \"+\""), *at = NULL;
	char *end;

	if (!plus)
		return;
	for (const char *next = print; (next = strstr(next, "prev_state &")) && next < plus; next++)
		at = next + strlen("prev_state &");
	if (!at)
		return;
	f->preempted = strtoull(at, &end, 0);
	if (f->preempted)
		return;
	for (int bit = 62; bit >= 0 && !f->preempted; bit--) {
		if (f->letters[bit])
			f->preempted = 2ull << bit;
	}
}

static void read_format(struct tracing *t, const char *text)
{
	const char *print = strstr(text, "print fmt:"), *name = strstr(text, "name: ");
	struct tracing_format f = { 0 };
	uint32_t id;

	if (!name || !tracing_line_number(text, "\nID: ", &id))
		return;
	name += strlen("name: ");
	for (size_t i = 0; i < sizeof(wanted) / sizeof(*wanted); i++) {
		if (strlen(wanted[i].name) != strcspn(name, "\n") ||
		    memcmp(name, wanted[i].name, strlen(wanted[i].name)))
			continue;
		f.kind = wanted[i].kind;
		f.id = id;
		f.tid = find_field(text, wanted[i].tid);
		f.next = find_field(text, wanted[i].next);
		f.state = find_field(text, wanted[i].state);
		f.comm = find_field(text, wanted[i].comm);
		f.next_comm = find_field(text, wanted[i].next_comm);
		if (f.kind == SCHED_SWITCH && print) {
			read_letters(&f, print);
			read_preempted(&f, print);
		}
		if (f.tid.size == 4 && (f.next.size == 4 || !wanted[i].next) && (!wanted[i].state || f.state.size >= 1))
			t->formats[f.kind] = f;
	}
}

void tracing_add_format(struct tracing *t, const char *text, size_t len)
{
	char *copy = xstrndup(text, strnlen(text, len));

	read_format(t, copy);
	free(copy);
}

/* --- the section ------------------------------------------------------------------ */

struct reader {
	const uint8_t *at, *end;
	bool failed;
};

static const uint8_t *tracing_take(struct reader *r, uint64_t len)
{
	const uint8_t *at = r->at;

	if (r->failed || len > (uint64_t)(r->end - r->at)) {
		r->failed = true;
		return NULL;
	}
	r->at += len;
	return at;
}

static uint32_t take_u32(struct reader *r)
{
	const uint8_t *p = tracing_take(r, 4);

	return p ? load_u32(p) : 0;
}

static uint64_t tracing_take_u64(struct reader *r)
{
	const uint8_t *p = tracing_take(r, 8);

	return p ? load_u64(p) : 0;
}

static void skip_string(struct reader *r)
{
	const uint8_t *p;

	while ((p = tracing_take(r, 1)) && *p)
		;
}

/* 23 8 68 "tracing" version\0 endian long_size u32 page_size,
 * "header_page\0" u64 len bytes, "header_event\0" u64 len bytes */
static void skip_head(struct reader *r)
{
	const uint8_t *magic = tracing_take(r, 10);

	if (!magic || memcmp(magic, "\27\10\104tracing", 10)) {
		r->failed = true;
		return;
	}
	skip_string(r);
	tracing_take(r, 1 + 1 + 4);
	for (int i = 0; i < 2; i++) {
		skip_string(r);
		tracing_take(r, tracing_take_u64(r));
	}
}

/* Receives each format of the section; system is NUL-terminated, text is not. */
typedef void take_format(void *argument, const char *system, const char *text, size_t len);

/* then u32 count of ftrace's own formats, each: u64 len, text;
 * u32 count of subsystems, each: name\0, u32 count of formats, each: u64 len, text */
static void read_section(const uint8_t *section, size_t len, take_format *take_one, void *argument)
{
	struct reader r = { section, section ? section + len : NULL, !section };
	uint32_t systems;

	skip_head(&r);
	for (uint32_t n = take_u32(&r); n && !r.failed; n--)
		tracing_take(&r, tracing_take_u64(&r));
	systems = take_u32(&r);
	for (uint32_t i = 0; i < systems && !r.failed; i++) {
		const char *system = (const char *)r.at;

		skip_string(&r);
		if (r.failed)
			return;
		for (uint32_t n = take_u32(&r); n && !r.failed; n--) {
			uint64_t size = tracing_take_u64(&r);
			const uint8_t *text = tracing_take(&r, size);

			if (text)
				take_one(argument, system, (const char *)text, (size_t)size);
		}
	}
}

static void take_sched(void *tracing, const char *system, const char *text, size_t len)
{
	if (!strcmp(system, "sched"))
		tracing_add_format(tracing, text, len);
}

void tracing_read(struct tracing *t, const uint8_t *section, size_t len)
{
	read_section(section, len, take_sched, t);
}

struct name_search {
	struct str *out;
	uint64_t id;
};

/* "name: sched_switch\nID: 314\n" */
static void tracing_take_name(void *argument, const char *system, const char *text, size_t len)
{
	struct name_search *search = argument;
	char name[128];
	char *copy;
	uint64_t id;

	if (!search->out)
		return;
	copy = xstrndup(text, len);
	if (sscanf(copy, "name: %127s ID: %" SCNu64, name, &id) == 2 && id == search->id) {
		str_addf(search->out, "%s:%s", system, name);
		search->out = NULL; /* found */
	}
	free(copy);
}

void tracing_add_name(struct str *out, const uint8_t *section, size_t len, uint64_t id)
{
	read_section(section, len, tracing_take_name, &(struct name_search){ out, id });
}

const struct tracing_format *tracing_find(const struct tracing *t, uint64_t id)
{
	for (int kind = 0; kind < SCHED_KIND_COUNT; kind++) {
		if (t->formats[kind].kind && t->formats[kind].id == id)
			return &t->formats[kind];
	}
	return NULL;
}

/* --- events ----------------------------------------------------------------------- */

static bool field_value(struct tracing_field field, const uint8_t *raw, size_t len, uint64_t *value)
{
	*value = 0;
	if (field.offset > len || field.size > len - field.offset)
		return false;
	/* All perf.data files that we read are little-endian, like this machine. */
	memcpy(value, raw + field.offset, field.size < sizeof(*value) ? field.size : sizeof(*value));
	return true;
}

/* The letter of the lowest bit: D for "D|K".  One exception: before 4.14, "D|N" was TASK_IDLE, so it becomes I. */
static char state_letter(const struct tracing_format *f, uint64_t state)
{
	char lowest = 0;

	if (state & f->preempted)
		return '+';
	if (f->preempted)
		state &= f->preempted - 1;
	if (!state)
		return 'R';
	for (; state; state &= state - 1) {
		char letter = f->letters[__builtin_ctzll(state)];

		if (letter == 'N')
			return 'I';
		lowest = lowest ? lowest : letter;
	}
	return lowest ? lowest : '?';
}

bool tracing_event(const struct tracing_format *f, const uint8_t *raw, size_t len, struct sched_event *e)
{
	uint64_t tid, next, state;

	if (!field_value(f->tid, raw, len, &tid) || !field_value(f->next, raw, len, &next) ||
	    !field_value(f->state, raw, len, &state))
		return false;
	e->tid = (int32_t)tid;
	e->next = (int32_t)next;
	e->kind = (uint8_t)f->kind;
	e->state = f->kind == SCHED_SWITCH ? state_letter(f, state) : 0;
	if (f->kind == SCHED_RUNTIME)
		e->record = state;
	return true;
}

const char *tracing_comm(struct tracing_field field, const uint8_t *raw, size_t raw_len, size_t *len)
{
	if (!field.size || field.offset > raw_len || field.size > raw_len - field.offset)
		return NULL;
	*len = strnlen((const char *)raw + field.offset, field.size);
	return *len ? (const char *)raw + field.offset : NULL;
}

char tracing_unshift(char state)
{
	static const char letters[] = "RSDTtXZPI"; /* by index, since 4.14 */
	const char *at = state ? strchr(letters, state) : NULL;

	return at && at > letters ? at[-1] : state;
}
