#include "collapse/quality_report.h"

#include <stdlib.h>
#include <string.h>

#include "collapse/frame.h"
#include "collapse/quality.h"
#include "collapse/recorded.h"
#include "core/error.h"
#include "core/intern.h"
#include "core/memory.h"
#include "core/symbols/runtime.h"

typedef unsigned long long ull;

static const struct {
	const char *word, *remedy;
} ends[USER_ENDS] = {
	[RECORDING_END_COMPLETE] = { "complete", "" },
	[RECORDING_END_TRUNCATED] = { "copy-too-short", "a larger copy: --call-graph dwarf,BYTES" },
	[RECORDING_END_TOO_DEEP] = { "too-deep", "" },
	[RECORDING_END_NO_CFI] = { "no-unwind-information",
				   "build it with -fasynchronous-unwind-tables; or --call-graph fp, if it has frame pointers" },
	[RECORDING_END_NO_FILE] = { "no-file", "collapse where it was recorded; collect cpu unwinds while it runs" },
	[RECORDING_END_UNMAPPED] = { "unmapped", "" },
	[RECORDING_END_BROKEN] = { "makes-no-sense", "" },
	[RECORDING_END_NO_REGISTERS] = { "no-registers", "" },
	[RECORDING_END_OTHER_STACK] = { "other-stack", "" },
	[USER_END_LIMIT] = { "kernel-limit", "sysctl kernel.perf_event_max_stack=512" },
	[USER_END_BROKEN] = { "no-frame-pointers", "--call-graph dwarf, or build with -fno-omit-frame-pointer" },
	[USER_END_SPAN_BROKEN] = { "no-frame-pointers", "build with -fno-omit-frame-pointer" },
};

/* Why frames have no name: enum why, and "unmapped" in stacks of spans, which are always followed
 * by frame pointers. */
enum { UNMAPPED_IN_SPAN = WHY_COUNT, REASONS };

/* A row of a table: what it is about, and its counts. */
struct row {
	char *name;
	struct quality counts; /* of modules: broken, frames, nameless */
	const char *word, *remedy, *and;
	uint64_t order;        /* rows with more come first */
};

struct rows {
	struct row *items; /* [count] */
	size_t count, cap;
};

struct report {
	const struct modules *modules;
	struct sideband *sideband;
	bool ours;                 /* names are only looked up when it is recorded */
	struct quality all;
	struct quality *by_root;   /* [roots] */
	struct quality *by_module; /* [modules + 1], the last one: none */
	uint64_t *ends;            /* [modules + 1][USER_ENDS] */
	uint64_t *reasons;         /* [modules + 1][REASONS] */
	uint32_t *names, *paths;   /* [modules]: how many modules of the tables are called so */
};

/* --- counting ----------------------------------------------------------------------- */

static size_t slot_of(const struct report *r, uint32_t module)
{
	return module < r->modules->count ? module : r->modules->count;
}

static size_t reason_of(const struct stack *stack, const struct place *place)
{
	if (place->why == WHY_UNMAPPED && stack->span)
		return UNMAPPED_IN_SPAN;
	return place->why < WHY_COUNT ? place->why : WHY_UNKNOWN;
}

static void count_frame(struct report *r, const struct stack *stack, const struct place *place)
{
	size_t module = slot_of(r, place->module);
	struct quality *of_root = &r->by_root[stack->root];

	of_root->frames += stack->samples;
	r->by_module[module].frames += stack->samples;
	r->all.frames += stack->samples;
	if (place->name)
		return;
	of_root->nameless += stack->samples;
	r->by_module[module].nameless += stack->samples;
	r->all.nameless += stack->samples;
	r->reasons[module * REASONS + reason_of(stack, place)] += stack->samples;
}

static void count_stack(struct report *r, const struct stack *stack, const struct places *places)
{
	unsigned end = quality_user_end(stack, places, r->modules);
	size_t module = slot_of(r, quality_last_module(stack, places));

	quality_count(&r->all, stack, end);
	quality_count(&r->by_root[stack->root], stack, end);
	quality_count(&r->by_module[module], stack, end);
	if (end != USER_END_NONE)
		r->ends[module * USER_ENDS + end] += stack->samples;
	for (uint32_t i = 0; i < stack->frame_count + stack->waker_frames; i++) {
		if (!(stack->frames[i] & FRAME_TEXT))
			count_frame(r, stack, &places->items[stack->frames[i] >> FRAME_PLACE_SHIFT]);
	}
}

/* --- rows --------------------------------------------------------------------------- */

/* For each of the modules, how many that have frames have the same text. */
static uint32_t *count_same(const struct report *r, const char *(*text_of)(const struct module *))
{
	size_t count = r->modules->count;
	uint32_t *same = xcalloc(count + 1, sizeof(*same)), *number = xcalloc(count + 1, sizeof(*number));
	uint32_t *uses = xcalloc(count + 1, sizeof(*uses));
	struct intern texts = {0};

	for (size_t i = 0; i < count; i++) {
		const char *text = text_of(&r->modules->items[i]);

		number[i] = intern_add(&texts, text, strlen(text));
		uses[number[i]] += r->by_module[i].frames != 0;
	}
	for (size_t i = 0; i < count; i++)
		same[i] = uses[number[i]];
	intern_free(&texts);
	free(number);
	free(uses);
	return same;
}

static const char *module_path(const struct module *m)
{
	return m->path;
}

/* Its name; its path where another one is called so; and where that is the same, too (other
 * containers, other builds), with its id. */
static void add_module(struct str *out, const struct report *r, size_t module)
{
	const struct module *m = &r->modules->items[module];
	const char *text = r->names[module] > 1 ? m->path : module_name(m);

	if (m->kind == MODULE_JIT) {
		str_addf(out, "[jit:%d]", m->pid);
		return;
	}
	frame_add(out, text, strlen(text));
	if (r->names[module] > 1 && r->paths[module] > 1)
		str_addf(out, "@%s", m->id);
}

/* No blanks: scripts take columns apart. */
static char *module_word(const struct report *r, size_t module)
{
	struct str text = {0};

	if (module < r->modules->count)
		add_module(&text, r, module);
	else
		str_puts(&text, "[unknown]");
	for (size_t i = 0; i < text.len; i++)
		text.buf[i] = text.buf[i] == ' ' ? '_' : text.buf[i];
	return text.buf;
}

static struct row *add_row(struct rows *rows, char *name, uint64_t order)
{
	struct row *row;

	rows->items = xgrow(rows->items, &rows->cap, rows->count + 1, sizeof(*rows->items));
	row = &rows->items[rows->count++];
	*row = (struct row){ .name = name, .order = order, .word = "", .remedy = "", .and = "" };
	return row;
}

static int by_order(const void *a, const void *b)
{
	const struct row *x = a, *y = b;

	if (x->order != y->order)
		return x->order > y->order ? -1 : 1;
	if (strcmp(x->name, y->name))
		return strcmp(x->name, y->name);
	return strcmp(x->word, y->word);
}

static void sort_rows(struct rows *rows)
{
	if (rows->count)
		qsort(rows->items, rows->count, sizeof(*rows->items), by_order);
}

static void free_rows(struct rows *rows)
{
	for (size_t i = 0; i < rows->count; i++)
		free(rows->items[i].name);
	free(rows->items);
}

/* --- tables ------------------------------------------------------------------------- */

/* Root frames, without the ';' at their end. */
static char *root_text(const struct gather *g, uint32_t root)
{
	uint32_t words[ROOT_WORDS_MAX];
	struct str text = {0};

	memcpy(words, intern_text(&g->root_keys, root), intern_len(&g->root_keys, root));
	roots_write(&g->roots, words, &text);
	if (text.len)
		text.buf[text.len - 1] = '\0';
	return text.len ? text.buf : xstrdup("[all]");
}

static void write_by_process(FILE *out, const struct report *r, const struct gather *g)
{
	struct rows rows = {0};

	for (uint32_t i = 0; i < g->root_keys.count; i++) {
		if (r->by_root[i].frames)
			add_row(&rows, root_text(g, i), r->by_root[i].frames)->counts = r->by_root[i];
	}
	sort_rows(&rows);
	fprintf(out, "\n%10s %7s %9s %9s %9s %10s %10s %s\n", "stacks", "whole%", "unseen", "cut", "broken",
		"frames", "nameless", "process");
	for (size_t i = 0; i < rows.count; i++) {
		const struct quality *q = &rows.items[i].counts;
		struct str whole = {0};

		quality_percent(&whole, q->stacks - q->cut - q->broken, q->stacks);
		fprintf(out, "%10llu %7s %9llu %9llu %9llu %10llu %10llu %s\n", (ull)q->stacks, whole.buf,
			(ull)q->unseen, (ull)q->cut, (ull)q->broken, (ull)q->frames, (ull)q->nameless,
			rows.items[i].name);
		str_free(&whole);
	}
	free_rows(&rows);
}

static void write_by_module(FILE *out, const struct report *r)
{
	struct rows rows = {0};

	for (size_t i = 0; i <= r->modules->count; i++) {
		if (r->by_module[i].frames)
			add_row(&rows, module_word(r, i), r->by_module[i].frames)->counts = r->by_module[i];
	}
	sort_rows(&rows);
	fprintf(out, "\n%10s %10s %9s %9s %s\n", "frames", "nameless", "cut", "broken", "module");
	for (size_t i = 0; i < rows.count; i++) {
		const struct quality *q = &rows.items[i].counts;

		fprintf(out, "%10llu %10llu %9llu %9llu %s\n", (ull)q->frames, (ull)q->nameless, (ull)q->cut,
			(ull)q->broken, rows.items[i].name);
	}
	free_rows(&rows);
}

/* Of the process that makes the code; by its name where its files are not known. */
static enum runtime find_runtime(const struct report *r, const struct module *m)
{
	enum runtime runtime = runtime_of(&r->sideband->spaces, r->modules, m->pid);
	struct comms *comms = &r->sideband->comms;

	if (runtime != RUNTIME_UNKNOWN || !comms_known(comms, m->pid))
		return runtime;
	return runtime_named(intern_text(&comms->names, comms_last(comms, m->pid, UINT64_MAX)));
}

static bool has_dump(const struct report *r, int pid)
{
	for (size_t i = 0; i < r->modules->count; i++) {
		const struct module *m = &r->modules->items[i];

		if (m->kind == MODULE_JIT && m->pid == pid && path_is_jitdump(m->path, strlen(m->path)))
			return true;
	}
	return false;
}

/* Frame pointers are another matter where code is made at run time. */
static const char *end_remedy(const struct report *r, size_t module, unsigned end)
{
	const struct module *m = module < r->modules->count ? &r->modules->items[module] : NULL;
	enum runtime runtime;

	if (!m || (m->kind != MODULE_JIT && strncmp(module_name(m), "libjvm", 6)) ||
	    (end != USER_END_BROKEN && end != USER_END_SPAN_BROKEN && end != RECORDING_END_NO_CFI))
		return ends[end].remedy;
	runtime = m->kind == MODULE_JIT ? find_runtime(r, m) : RUNTIME_JAVA;
	if (runtime == RUNTIME_PYTHON && end != RECORDING_END_NO_CFI) /* it has none itself */
		return ends[end].remedy;
	if (runtime == RUNTIME_PYTHON && has_dump(r, m->pid))
		return "its jitdump says how, once it is written";
	return runtime_stack_remedy(runtime);
}

static const char *reason_remedy(const struct report *r, size_t module, enum why why)
{
	if (why == WHY_NO_MAP && module < r->modules->count)
		return runtime_map_remedy(find_runtime(r, &r->modules->items[module]));
	return *why_remedy(why) ? why_remedy(why) : why_text(why);
}

/* The unwinder had no file either: is another one there in its place? */
static bool is_replaced(const struct report *r, size_t module)
{
	return r->reasons[module * REASONS + WHY_OTHER_BUILD];
}

static void write_ends(FILE *out, const struct report *r)
{
	struct rows rows = {0};

	for (size_t i = 0; i < (r->modules->count + 1) * USER_ENDS; i++) {
		struct row *row;

		if (!r->ends[i] || i % USER_ENDS == RECORDING_END_COMPLETE || i % USER_ENDS == USER_END_UNSEEN)
			continue; /* they are whole */
		row = add_row(&rows, module_word(r, i / USER_ENDS), r->ends[i]);
		row->word = ends[i % USER_ENDS].word;
		row->remedy = end_remedy(r, i / USER_ENDS, i % USER_ENDS);
		if (i % USER_ENDS == RECORDING_END_NO_FILE && is_replaced(r, i / USER_ENDS)) {
			row->word = why_word(WHY_OTHER_BUILD);
			row->remedy = why_remedy(WHY_OTHER_BUILD);
		}
	}
	sort_rows(&rows);
	if (rows.count)
		fprintf(out, "\n%10s %-21s %-24s %s\n", "stacks", "end", "module", "remedy");
	for (size_t i = 0; i < rows.count; i++)
		fprintf(out, "%10llu %-21s %-24s %s\n", (ull)rows.items[i].order, rows.items[i].word,
			rows.items[i].name, *rows.items[i].remedy ? rows.items[i].remedy : "-");
	free_rows(&rows);
}

static void write_reasons(FILE *out, const struct report *r)
{
	struct rows rows = {0};

	for (size_t i = 0; i < (r->modules->count + 1) * REASONS; i++) {
		bool in_span = i % REASONS == UNMAPPED_IN_SPAN;
		enum why why = in_span ? WHY_UNMAPPED : (enum why)(i % REASONS);
		struct row *row;

		if (!r->reasons[i])
			continue;
		row = add_row(&rows, module_word(r, i / REASONS), r->reasons[i]);
		row->word = why_word(why);
		row->remedy = in_span ? ends[USER_END_SPAN_BROKEN].remedy : reason_remedy(r, i / REASONS, why);
		if (r->ours && why == WHY_NO_SYMBOLS)
			row->and = ", and record again";
	}
	sort_rows(&rows);
	if (rows.count)
		fprintf(out, "\n%10s %-21s %-24s %s\n", "frames", "why", "module", "remedy");
	for (size_t i = 0; i < rows.count; i++)
		fprintf(out, "%10llu %-21s %-24s %s%s\n", (ull)rows.items[i].order, rows.items[i].word,
			rows.items[i].name, rows.items[i].remedy, rows.items[i].and);
	free_rows(&rows);
}

/* --- all of it ---------------------------------------------------------------------- */

static void write_head(FILE *out, const struct report *r, const struct perfdata *d)
{
	struct section_lines lines;
	struct str line = {0};
	const char *recorded;
	size_t len;

	quality_line(&r->all, &line);
	fprintf(out, "%s\n", line.buf);
	section_lines_init(&lines, d, RECORDING_QUALITY);
	if (section_next_line(&lines, &recorded, &len) && (len != line.len || memcmp(recorded, line.buf, len))) {
		str_clear(&line);
		frame_add(&line, recorded, len);
		fprintf(out, "when it was recorded, of all: %s\n", line.buf);
	}
	str_free(&line);
}

static void report_begin(struct report *r, const struct gather *g, const struct fold *fold,
			 const struct names *names)
{
	size_t slots = names->modules->count + 1;

	*r = (struct report){
		.modules = names->modules,
		.sideband = g->sideband,
		.by_root = xcalloc(g->root_keys.count + 1, sizeof(*r->by_root)),
		.by_module = xcalloc(slots, sizeof(*r->by_module)),
		.ends = xcalloc(slots, USER_ENDS * sizeof(*r->ends)),
		.reasons = xcalloc(slots, REASONS * sizeof(*r->reasons)),
	};
	for (size_t i = 0; i < g->stacks.count; i++) {
		if (fold->lines[fold->line_of_stack[i]].kept)
			count_stack(r, &g->stacks.items[i], names->places);
	}
	r->names = count_same(r, module_name);
	r->paths = count_same(r, module_path);
}

static void report_end(struct report *r)
{
	free(r->by_root);
	free(r->by_module);
	free(r->ends);
	free(r->reasons);
	free(r->names);
	free(r->paths);
}

void quality_report_write(FILE *out, const struct perfdata *d, const struct gather *g, const struct fold *fold,
			  const struct names *names)
{
	struct report r;

	report_begin(&r, g, fold, names);
	r.ours = d->features[RECORDING_SYMBOLS].size;
	write_head(out, &r, d);
	write_by_process(out, &r, g);
	write_by_module(out, &r);
	write_ends(out, &r);
	write_reasons(out, &r);
	report_end(&r);
}

/* Where most of the nameless frames are, and why: what helps. */
static void add_worst(struct str *out, const struct report *r)
{
	size_t worst = 0;
	enum why why;
	char *module;

	for (size_t i = 0; i < (r->modules->count + 1) * REASONS; i++)
		worst = r->reasons[i] > r->reasons[worst] ? i : worst;
	why = worst % REASONS == UNMAPPED_IN_SPAN ? WHY_UNMAPPED : (enum why)(worst % REASONS);
	module = module_word(r, worst / REASONS);
	str_addf(out, "most of them in %s: %s", module, why_text(why));
	if (*why_remedy(why))
		str_addf(out, ": %s", why_remedy(why));
	free(module);
}

static void warn_of_names(const struct quality *q, const struct gather *g, const struct fold *fold,
			  const struct names *names)
{
	struct str where = {0};
	struct report r;

	report_begin(&r, g, fold, names);
	add_worst(&where, &r);
	warn("%llu of %llu frames have no name, %s (--quality says why)", (unsigned long long)q->nameless,
	     (unsigned long long)q->frames, where.buf);
	report_end(&r);
	str_free(&where);
}

static void warn_of_copies(const struct quality *q)
{
	if (quality_is_poor(q))
		warn("%llu of %llu user stacks could not be unwound to the start of their thread: files that are "
		     "gone, or of another build? (--quality says where)", (unsigned long long)q->broken,
		     (unsigned long long)q->stacks);
	if (q->cut * 5 > q->stacks)
		warn("%llu of %llu user stacks are larger than what was copied of them "
		     "(perf record --call-graph dwarf,65528 copies more)", (unsigned long long)q->cut,
		     (unsigned long long)q->stacks);
}

void quality_warn(const struct gather *g, const struct fold *fold, const struct names *names, bool copied)
{
	const struct quality *q = &fold->quality;

	if (copied)
		warn_of_copies(q);
	else if (quality_is_poor(q))
		warn("%llu of %llu user stacks do not begin at the start of their thread: code built without "
		     "frame pointers? (--quality says where; perf record --call-graph dwarf)",
		     (unsigned long long)q->broken, (unsigned long long)q->stacks);
	if (q->nameless * 4 > q->frames)
		warn_of_names(q, g, fold, names);
}
