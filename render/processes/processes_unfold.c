#include "render/processes/processes.h"

#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/format/folded.h"
#include "core/json.h"
#include "core/memory.h"
#include "core/wallclock.h"
#include "render/encoding/decode.h"
#include "render/encoding/digits.h"
#include "render/encoding/unfold.h"

static const char ID[] = "processes", DAMAGED[] = "its data is damaged";

struct unfolded_line {
	uint64_t time_ns;
	size_t from, len; /* place in texts of "cc1-4711;ppid:...;cc1 -quiet a.c 12 1 11 4096" */
};

struct unfolder {
	struct json data;
	struct str *names, *kinds;
	size_t name_count, kind_count;
	struct str texts, args;
	struct unfolded_line *lines;
	size_t count, cap;
	uint64_t start_ns, begin_ns, before_ns; /* begin of the row's last process, and of the last span */
	uint64_t pid;
};

bool processes_is_in(const char *svg, size_t len)
{
	struct str text = { 0 };
	bool found = decode_text(&text, svg, len, ID);

	str_free(&text);
	return found;
}

/* ---- reading ---- */

/* Texts, or arrays that begin with a text.  kinds: the texts are kinds, which have several frames. */
static bool processes_unfold_read_texts(struct json list, bool kinds, struct str **texts, size_t *count)
{
	struct str text = { 0 };
	struct json item;
	size_t cap = 0;
	bool right = true;

	while (right && json_next_item(&list, &item)) {
		struct json first = item;

		*texts = xgrow(*texts, &cap, *count + 1, sizeof(**texts));
		(*texts)[*count] = (struct str){ 0 };
		right = (kinds || json_next_item(&item, &first)) && json_text(first, &text);
		if (right)
			(kinds ? unfold_frames : unfold_frame)(&(*texts)[*count], str_text(&text), text.len);
		++*count;
	}
	str_free(&text);
	return right;
}

static bool processes_unfold_add_args(struct unfolder *u, uint64_t shared, const char *at, const char *end)
{
	if (shared > u->args.len)
		return false;
	u->args.len = (size_t)shared;
	str_add(&u->args, at, (size_t)(end - at));
	str_addc(&u->texts, ';');
	unfold_frames(&u->texts, str_text(&u->args), u->args.len);
	return true;
}

static bool processes_unfold_read_span(struct unfolder *u, const char *at, const char *end)
{
	struct digits in = { at, end, false };
	bool goes_on = digits_take(&in) == 1;
	uint64_t parent, name, kind, ns, cpu_ns, peak, time_ns;
	size_t from = u->texts.len;

	if (!goes_on) {
		u->pid = digits_take(&in);
		digits_take(&in);
		u->before_ns = u->begin_ns;
	}
	parent = digits_take(&in);
	name = digits_take(&in);
	kind = digits_take(&in);
	if (__builtin_add_overflow(u->before_ns, digits_take(&in), &time_ns))
		return false;
	ns = digits_take(&in);
	cpu_ns = digits_take(&in);
	peak = digits_take(&in);
	if (in.bad || name >= u->name_count || kind >= u->kind_count)
		return false;
	str_add(&u->texts, str_text(&u->names[name]), u->names[name].len);
	str_addf(&u->texts, "-%llu;" FOLDED_PROCESS_PARENT "%llu;", (unsigned long long)u->pid,
		 (unsigned long long)parent);
	str_add(&u->texts, str_text(&u->kinds[kind]), u->kinds[kind].len);
	parent = digits_take(&in);
	if (in.bad || !processes_unfold_add_args(u, parent, in.at, end))
		return false;
	str_addf(&u->texts, " %llu 1 %llu %llu\n", (unsigned long long)ns, (unsigned long long)cpu_ns,
		 (unsigned long long)peak);
	u->lines = xgrow(u->lines, &u->cap, u->count + 1, sizeof(*u->lines));
	u->lines[u->count++] = (struct unfolded_line){ time_ns, from, u->texts.len - from };
	u->before_ns = time_ns;
	u->begin_ns = goes_on ? u->begin_ns : time_ns;
	return true;
}

static bool is_first(const char *at, const char *end)
{
	return at < end && *at == FIRST_DIGIT;
}

/* Lines that continue a process belong to its row. */
static bool processes_unfold_read_data(struct unfolder *u, const struct str *data)
{
	const char *at = str_text(data), *end = at + data->len;
	struct json rows = json_member(u->data, "rows"), row, item;
	uint64_t left = 0;
	bool right = true;

	while (right && at < end) {
		const char *newline = memchr(at, '\n', (size_t)(end - at));

		newline = newline ? newline : end;
		if (is_first(at, newline)) {
			while (!left && json_next_item(&rows, &row)) {
				if (!json_next_item(&row, &item) || !json_u64(item, &left))
					return false;
				u->begin_ns = u->start_ns;
			}
			if (!left)
				return false;
			left--;
		}
		right = at == newline || processes_unfold_read_span(u, at, newline);
		at = newline + 1;
	}
	return right;
}

/* ---- writing ---- */

/* Sorts lines as collapse does: by time, and then by text. */
static int processes_unfold_by_time(const void *a, const void *b, void *unfolder)
{
	const char *texts = str_text(&((const struct unfolder *)unfolder)->texts);
	const struct unfolded_line *x = a, *y = b;
	size_t len = x->len < y->len ? x->len : y->len;
	int order;

	if (x->time_ns != y->time_ns)
		return x->time_ns < y->time_ns ? -1 : 1;
	order = memcmp(texts + x->from, texts + y->from, len);
	return order ? order : x->len < y->len ? -1 : x->len > y->len;
}

static void processes_unfold_write_lines(struct unfolder *u, FILE *out)
{
	struct str text = { 0 };

	unfold_header(&text, json_member(u->data, "source"));
	if (u->count)
		qsort_r(u->lines, u->count, sizeof(*u->lines), processes_unfold_by_time, u);
	for (size_t i = 0; i < u->count; i++) {
		str_addc(&text, '@');
		wallclock_add_seconds(&text, u->lines[i].time_ns);
		str_addc(&text, ' ');
		str_add(&text, u->texts.buf + u->lines[i].from, u->lines[i].len);
	}
	fwrite(text.buf, 1, text.len, out);
	str_free(&text);
}

static void free_texts(struct str *texts, size_t count)
{
	for (size_t i = 0; i < count; i++)
		str_free(&texts[i]);
	free(texts);
}

int processes_unfold(FILE *out, const char *svg, size_t len, const char *path)
{
	struct str settings = { 0 }, data = { 0 };
	struct unfolder u = { 0 };
	bool right;

	decode_text(&settings, svg, len, ID);
	decode_text(&data, svg, len, "processes-data");
	u.data = json_make(str_text(&settings), settings.len);
	right = json_u64(json_member(u.data, "start"), &u.start_ns) &&
		processes_unfold_read_texts(json_member(u.data, "names"), false, &u.names, &u.name_count) &&
		processes_unfold_read_texts(json_member(u.data, "kinds"), true, &u.kinds, &u.kind_count) &&
		processes_unfold_read_data(&u, &data);
	if (right)
		processes_unfold_write_lines(&u, out);
	free_texts(u.names, u.name_count);
	free_texts(u.kinds, u.kind_count);
	free(u.lines);
	str_free(&u.texts);
	str_free(&u.args);
	str_free(&settings);
	str_free(&data);
	return right ? 0 : error("%s: %s", path, DAMAGED);
}
