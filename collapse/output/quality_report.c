#include "collapse/output/quality_report.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "collapse/fold/fold.h"
#include "collapse/fold/gather.h"
#include "collapse/fold/quality.h"
#include "collapse/frames/frame.h"
#include "collapse/frames/names.h"
#include "collapse/perfdata/recorded.h"
#include "core/error.h"
#include "core/intern.h"
#include "core/memory.h"
#include "core/sorted.h"
#include "core/symbols/space/runtime.h"
#include "core/symbols/unnamed.h"

/* --- counts ----------------------------------------------------------------------------- */

/* Counts by process and by module: how good the stacks of a recording are, how they end, and why frames have no
 * name. */

/* Reasons why frames have no name: enum why, and "unmapped" in stacks of spans, which are always walked by frame
 * pointers. */
enum { UNMAPPED_IN_SPAN = WHY_COUNT, REASONS };

struct quality_counts {
	const struct modules *modules;
	struct sideband *sideband;
	struct quality all;
	struct quality *by_root;   /* [roots] */
	struct quality *by_module; /* [modules + 1]: by module, the last one for frames without a module */
	uint64_t *ends;            /* [modules + 1][USER_ENDS] */
	uint64_t *reasons;         /* [modules + 1][REASONS] */
	uint32_t *names, *paths;   /* [modules]: how many modules with frames have the same name, or path, as this
				    * one */
};

static size_t quality_counts_slot_of(const struct quality_counts *c, uint32_t module)
{
	return module < c->modules->count ? module : c->modules->count;
}

static size_t reason_of(const struct stack *stack, const struct place *place)
{
	if (place->why == WHY_UNMAPPED && stack->span)
		return UNMAPPED_IN_SPAN;
	return place->why < WHY_COUNT ? place->why : WHY_UNKNOWN;
}

static void quality_counts_frame(struct quality_counts *c, const struct stack *stack, const struct place *place)
{
	size_t module = quality_counts_slot_of(c, place->module);
	struct quality *of_root = &c->by_root[stack->root];

	of_root->frames += stack->samples;
	c->by_module[module].frames += stack->samples;
	c->all.frames += stack->samples;
	if (place->name)
		return;
	if (place->function) {
		of_root->stripped += stack->samples;
		c->by_module[module].stripped += stack->samples;
		c->all.stripped += stack->samples;
	} else {
		of_root->nameless += stack->samples;
		c->by_module[module].nameless += stack->samples;
		c->all.nameless += stack->samples;
	}
	c->reasons[module * REASONS + reason_of(stack, place)] += stack->samples;
}

static void count_stack(struct quality_counts *c, const struct stack *stack, const struct places *places)
{
	unsigned end = quality_user_end(stack, places, c->modules);
	size_t module = quality_counts_slot_of(c, quality_last_module(stack, places));

	quality_count(&c->all, stack, end);
	quality_count(&c->by_root[stack->root], stack, end);
	quality_count(&c->by_module[module], stack, end);
	if (end != USER_END_NONE)
		c->ends[module * USER_ENDS + end] += stack->samples;
	for (uint32_t i = 0; i < stack->frame_count + stack->waker_frames; i++) {
		if (!(stack->frames[i] & FRAME_TEXT))
			quality_counts_frame(c, stack, &places->items[stack->frames[i] >> FRAME_PLACE_SHIFT]);
	}
}

/* For each module, count the modules with frames that have the same text (name or path). */
static uint32_t *count_same(const struct quality_counts *c, const char *(*text_of)(const struct module *))
{
	size_t count = c->modules->count;
	uint32_t *same = xcalloc(count + 1, sizeof(*same)), *number = xcalloc(count + 1, sizeof(*number));
	uint32_t *uses = xcalloc(count + 1, sizeof(*uses));
	struct intern texts = { 0 };

	for (size_t i = 0; i < count; i++) {
		const char *text = text_of(&c->modules->items[i]);

		number[i] = intern_add(&texts, text, strlen(text));
		uses[number[i]] += c->by_module[i].frames != 0;
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

/* Append a module's name, or its path if another module has the same name.  If another module also has the same path
 * (in another container, or of another build), append the module's id, too. */
static void quality_counts_add_module(struct str *out, const struct quality_counts *c, size_t module)
{
	const struct module *m = &c->modules->items[module];
	const char *text = c->names[module] > 1 ? m->path : module_name(m);

	if (m->kind == MODULE_JIT) {
		str_addf(out, "[jit:%d]", m->pid);
		return;
	}
	frame_add(out, text, strlen(text));
	if (c->names[module] > 1 && c->paths[module] > 1)
		str_addf(out, "@%s", m->id);
}

/* The name of a module as one word, in which '_' stands for blanks, so that scripts can split columns; its path if
 * another module has the same name.  The caller frees it. */
static char *quality_module_word(const struct quality_counts *c, size_t module)
{
	struct str text = { 0 };

	if (module < c->modules->count)
		quality_counts_add_module(&text, c, module);
	else
		str_puts(&text, "[unknown]");
	for (size_t i = 0; i < text.len; i++)
		text.buf[i] = text.buf[i] == ' ' ? '_' : text.buf[i];
	return text.buf;
}

/* Count the stacks whose lines are kept.  Fills c; the arguments must outlive it. */
static void quality_counts_make(struct quality_counts *c, const struct gather *g, const struct fold *fold,
				const struct names *names)
{
	size_t slots = names->modules->count + 1;

	*c = (struct quality_counts){
		.modules = names->modules,
		.sideband = g->sideband,
		.by_root = xcalloc(g->root_keys.count + 1, sizeof(*c->by_root)),
		.by_module = xcalloc(slots, sizeof(*c->by_module)),
		.ends = xcalloc(slots, USER_ENDS * sizeof(*c->ends)),
		.reasons = xcalloc(slots, REASONS * sizeof(*c->reasons)),
	};
	for (size_t i = 0; i < g->stacks.count; i++) {
		if (fold->lines[fold->line_of_stack[i]].kept)
			count_stack(c, &g->stacks.items[i], names->places);
	}
	c->names = count_same(c, module_name);
	c->paths = count_same(c, module_path);
}

static void quality_counts_free(struct quality_counts *c)
{
	free(c->by_root);
	free(c->by_module);
	free(c->ends);
	free(c->reasons);
	free(c->names);
	free(c->paths);
}

/* --- words ------------------------------------------------------------------------------ */

typedef unsigned long long ull;

static const struct {
	const char *word, *remedy;
} ends[USER_ENDS] = {
	[RECORDING_END_COMPLETE] = { "complete", "" },
	[RECORDING_END_TRUNCATED] = { "copy-too-short", "a larger copy: --call-graph dwarf,BYTES" },
	[RECORDING_END_TOO_DEEP] = { "too-deep", "" },
	[RECORDING_END_NO_CFI] = { "no-unwind-information", "build it with -fasynchronous-unwind-tables; or "
							    "--call-graph fp, if it has frame pointers" },
	[RECORDING_END_NO_FILE] = { "no-file", "collapse on the machine where it was recorded; or use collect cpu, "
					       "which unwinds while it records" },
	[RECORDING_END_UNMAPPED] = { "unmapped", "" },
	[RECORDING_END_BROKEN] = { "makes-no-sense", "" },
	[RECORDING_END_NO_REGISTERS] = { "no-registers", "" },
	[RECORDING_END_OTHER_STACK] = { "other-stack", "none: [frames on the heap] stands for a virtual thread's "
						       "frames that are not on the stack" },
	[USER_END_LIMIT] = { "kernel-limit", "sysctl kernel.perf_event_max_stack=512" },
	[USER_END_CALLS] = { "calls-forgotten",
			     "none: the processor keeps only the newest 8 to 32 calls; --call-graph dwarf or fp "
			     "records all" },
	[USER_END_BROKEN] = { "no-frame-pointers", "--call-graph dwarf, or build with -fno-omit-frame-pointer" },
	[USER_END_SPAN_BROKEN] = { "no-frame-pointers", "build with -fno-omit-frame-pointer" },
};

/* A row of a table. */
struct row {
	char *name;
	struct quality counts; /* tables by module do not show the columns stacks and unseen */
	const char *word, *remedy, *and;
	uint64_t order; /* rows with more come first */
};

struct rows {
	struct row *items; /* [count] */
	size_t count, cap;
};

/* --- rows --------------------------------------------------------------------------- */

static struct row *quality_report_add_row(struct rows *rows, char *name, uint64_t order)
{
	struct row *row;

	rows->items = xgrow(rows->items, &rows->cap, rows->count + 1, sizeof(*rows->items));
	row = &rows->items[rows->count++];
	*row = (struct row){ .name = name, .order = order, .word = "", .remedy = "", .and = "" };
	return row;
}

static int quality_report_by_order(const void *a, const void *b)
{
	const struct row *x = a, *y = b;

	return ORDER(y->order, x->order) ?: strcmp(x->name, y->name) ?: strcmp(x->word, y->word);
}

static void quality_report_sort_rows(struct rows *rows)
{
	if (rows->count)
		qsort(rows->items, rows->count, sizeof(*rows->items), quality_report_by_order);
}

static void free_rows(struct rows *rows)
{
	for (size_t i = 0; i < rows->count; i++)
		free(rows->items[i].name);
	free(rows->items);
}

/* --- tables ------------------------------------------------------------------------- */

/* The root frames as text, without the ';' at the end; the caller frees it. */
static char *quality_report_root_text(const struct gather *g, uint32_t root)
{
	uint32_t words[ROOT_WORDS_MAX];
	struct str text = { 0 };

	memcpy(words, intern_text(&g->root_keys, root), intern_len(&g->root_keys, root));
	roots_write(&g->roots, words, &text, NULL);
	if (text.len)
		text.buf[text.len - 1] = '\0';
	return text.len ? text.buf : xstrdup("[all]");
}

static void write_by_process(FILE *out, const struct quality_counts *r, const struct gather *g)
{
	struct rows rows = { 0 };

	for (uint32_t i = 0; i < g->root_keys.count; i++) {
		if (r->by_root[i].frames)
			quality_report_add_row(&rows, quality_report_root_text(g, i), r->by_root[i].frames)->counts =
				r->by_root[i];
	}
	quality_report_sort_rows(&rows);
	fprintf(out, "\n%10s %7s %9s %9s %9s %10s %10s %10s %s\n", "stacks", "whole%", "unseen", "cut", "broken",
		"frames", "nameless", "stripped", "process");
	for (size_t i = 0; i < rows.count; i++) {
		const struct quality *q = &rows.items[i].counts;
		struct str whole = { 0 };

		quality_percent(&whole, q->stacks - q->cut - q->broken, q->stacks);
		fprintf(out, "%10llu %7s %9llu %9llu %9llu %10llu %10llu %10llu %s\n", (ull)q->stacks, whole.buf,
			(ull)q->unseen, (ull)q->cut, (ull)q->broken, (ull)q->frames, (ull)q->nameless, (ull)q->stripped,
			rows.items[i].name);
		str_free(&whole);
	}
	free_rows(&rows);
}

static void write_by_module(FILE *out, const struct quality_counts *r)
{
	struct rows rows = { 0 };

	for (size_t i = 0; i <= r->modules->count; i++) {
		if (r->by_module[i].frames)
			quality_report_add_row(&rows, quality_module_word(r, i), r->by_module[i].frames)->counts =
				r->by_module[i];
	}
	quality_report_sort_rows(&rows);
	fprintf(out, "\n%10s %10s %10s %9s %9s %s\n", "frames", "nameless", "stripped", "cut", "broken", "module");
	for (size_t i = 0; i < rows.count; i++) {
		const struct quality *q = &rows.items[i].counts;

		fprintf(out, "%10llu %10llu %10llu %9llu %9llu %s\n", (ull)q->frames, (ull)q->nameless,
			(ull)q->stripped, (ull)q->cut, (ull)q->broken, rows.items[i].name);
	}
	free_rows(&rows);
}

/* The runtime that generated the process's code; guessed from the process's name if its files are not known. */
static enum runtime quality_report_find_runtime(const struct quality_counts *r, const struct module *m)
{
	enum runtime runtime = runtime_of(&r->sideband->spaces, r->modules, m->pid);
	struct comms *comms = &r->sideband->comms;

	if (runtime != RUNTIME_UNKNOWN || !comms_known(comms, m->pid))
		return runtime;
	return runtime_named(intern_text(&comms->names, comms_last(comms, m->pid, UINT64_MAX)));
}

static bool has_dump(const struct quality_counts *r, int pid)
{
	for (size_t i = 0; i < r->modules->count; i++) {
		const struct module *m = &r->modules->items[i];

		if (m->kind == MODULE_JIT && m->pid == pid && path_is_jitdump(m->path, strlen(m->path)))
			return true;
	}
	return false;
}

/* The remedy for stacks that end in this way.  For code generated at run time, frame pointers are an option of its
 * runtime, not of a compiler. */
static const char *end_remedy(const struct quality_counts *r, size_t module, unsigned end)
{
	const struct module *m = module < r->modules->count ? &r->modules->items[module] : NULL;
	enum runtime runtime;

	if (!m || (m->kind != MODULE_JIT && strncmp(module_name(m), "libjvm", 6)) ||
	    (end != USER_END_BROKEN && end != USER_END_SPAN_BROKEN && end != RECORDING_END_NO_CFI))
		return ends[end].remedy;
	runtime = m->kind == MODULE_JIT ? quality_report_find_runtime(r, m) : RUNTIME_JAVA;
	if (runtime == RUNTIME_PYTHON && end != RECORDING_END_NO_CFI) /* the interpreter itself lacks them */
		return ends[end].remedy;
	if (runtime == RUNTIME_PYTHON && has_dump(r, m->pid))
		return "none yet: its jitdump has unwind information once it is complete";
	return runtime_stack_remedy(runtime, end == USER_END_BROKEN        ? STACKS_OF_SAMPLES
					     : end == USER_END_SPAN_BROKEN ? STACKS_OF_SPANS
									   : STACKS_WALKED);
}

static const char *reason_remedy(const struct quality_counts *r, size_t module, enum why why)
{
	if (why == WHY_NO_MAP && module < r->modules->count)
		return runtime_map_remedy(quality_report_find_runtime(r, &r->modules->items[module]));
	return *why_remedy(why) ? why_remedy(why) : why_text(why);
}

/* Did the unwinder find no file because another build has replaced it? */
static bool is_replaced(const struct quality_counts *r, size_t module)
{
	return r->reasons[module * REASONS + WHY_OTHER_BUILD];
}

static void write_ends(FILE *out, const struct quality_counts *r)
{
	struct rows rows = { 0 };

	for (size_t i = 0; i < (r->modules->count + 1) * USER_ENDS; i++) {
		struct row *row;

		if (!r->ends[i] || i % USER_ENDS == RECORDING_END_COMPLETE || i % USER_ENDS == USER_END_UNSEEN)
			continue; /* the stacks are whole */
		row = quality_report_add_row(&rows, quality_module_word(r, i / USER_ENDS), r->ends[i]);
		row->word = ends[i % USER_ENDS].word;
		row->remedy = end_remedy(r, i / USER_ENDS, i % USER_ENDS);
		if (i % USER_ENDS == RECORDING_END_NO_FILE && is_replaced(r, i / USER_ENDS)) {
			row->word = why_word(WHY_OTHER_BUILD);
			row->remedy = why_remedy(WHY_OTHER_BUILD);
		}
	}
	quality_report_sort_rows(&rows);
	if (rows.count)
		fprintf(out, "\n%10s %-21s %-24s %s\n", "stacks", "end", "module", "remedy");
	for (size_t i = 0; i < rows.count; i++)
		fprintf(out, "%10llu %-21s %-24s %s\n", (ull)rows.items[i].order, rows.items[i].word,
			rows.items[i].name, *rows.items[i].remedy ? rows.items[i].remedy : "-");
	free_rows(&rows);
}

/* ours: it is our own recording, so names were looked up while it was made. */
static void write_reasons(FILE *out, const struct quality_counts *r, bool ours)
{
	struct rows rows = { 0 };

	for (size_t i = 0; i < (r->modules->count + 1) * REASONS; i++) {
		bool in_span = i % REASONS == UNMAPPED_IN_SPAN;
		enum why why = in_span ? WHY_UNMAPPED : (enum why)(i % REASONS);
		struct row *row;

		if (!r->reasons[i])
			continue;
		row = quality_report_add_row(&rows, quality_module_word(r, i / REASONS), r->reasons[i]);
		row->word = why_word(why);
		row->remedy = in_span ? ends[USER_END_SPAN_BROKEN].remedy : reason_remedy(r, i / REASONS, why);
		if (ours && why == WHY_NO_SYMBOLS)
			row->and = ", and record again";
	}
	quality_report_sort_rows(&rows);
	if (rows.count)
		fprintf(out, "\n%10s %-21s %-24s %s\n", "frames", "why", "module", "remedy");
	for (size_t i = 0; i < rows.count; i++)
		fprintf(out, "%10llu %-21s %-24s %s%s\n", (ull)rows.items[i].order, rows.items[i].word,
			rows.items[i].name, rows.items[i].remedy, rows.items[i].and);
	free_rows(&rows);
}

/* --- all of it ---------------------------------------------------------------------- */

static void write_head(FILE *out, const struct quality_counts *r, const struct perfdata *d)
{
	struct section_lines lines;
	struct str line = { 0 };
	const char *recorded;
	size_t len;

	quality_line(&r->all, &line);
	fprintf(out, "%s\n", line.buf);
	section_lines_init(&lines, d, RECORDING_QUALITY);
	if (section_next_line(&lines, &recorded, &len) && (len != line.len || memcmp(recorded, line.buf, len))) {
		str_clear(&line);
		frame_add(&line, recorded, len);
		fprintf(out, "when it was recorded, for all stacks: %s\n", line.buf);
	}
	str_free(&line);
}

void quality_report_write(FILE *out, const struct perfdata *d, const struct gather *g, const struct fold *fold,
			  const struct names *names)
{
	struct quality_counts r;

	quality_counts_make(&r, g, fold, names);
	write_head(out, &r, d);
	write_by_process(out, &r, g);
	write_by_module(out, &r);
	write_ends(out, &r);
	write_reasons(out, &r, d->features[RECORDING_SYMBOLS].size);
	quality_counts_free(&r);
}

/* Append the module with most of the nameless frames, the reason, and the remedy. */
static void quality_report_add_worst(struct str *out, const struct quality_counts *r)
{
	size_t worst = 0;
	enum why why;
	char *module;

	for (size_t i = 0; i < (r->modules->count + 1) * REASONS; i++)
		worst = r->reasons[i] > r->reasons[worst] ? i : worst;
	why = worst % REASONS == UNMAPPED_IN_SPAN ? WHY_UNMAPPED : (enum why)(worst % REASONS);
	module = quality_module_word(r, worst / REASONS);
	str_addf(out, "most of them in %s: %s", module, why_text(why));
	if (*why_remedy(why))
		str_addf(out, ": %s", why_remedy(why));
	free(module);
}

/* Warn of functions in stripped files; returns whether many samples are in such functions. */
static bool warn_of_functions(const struct gather *g, const struct fold *fold, const struct names *names)
{
	uint64_t *by_module = xcalloc(names->modules->count + 1, sizeof(*by_module)), all = 0;
	struct str line = { 0 };
	bool many;

	for (size_t i = 0; i < g->stacks.count; i++) {
		const struct stack *stack = &g->stacks.items[i];
		const struct place *leaf;

		if (!fold->lines[fold->line_of_stack[i]].kept || !stack->frame_count)
			continue;
		all += stack->samples;
		leaf = &names->places->items[stack->frames[0] >> FRAME_PLACE_SHIFT];
		if (!leaf->name && leaf->why == WHY_NO_SYMBOLS && leaf->module < names->modules->count)
			by_module[leaf->module] += stack->samples;
	}
	many = unnamed_line(&line, names->modules, by_module, all);
	if (many)
		warn("%s (--quality says more)", line.buf);
	free(by_module);
	str_free(&line);
	return many;
}

static void warn_of_names(const struct quality *q, const struct gather *g, const struct fold *fold,
			  const struct names *names)
{
	struct str where = { 0 };
	struct quality_counts r;

	quality_counts_make(&r, g, fold, names);
	quality_report_add_worst(&where, &r);
	warn("%llu of %llu frames have no name, %s (--quality says why)", (unsigned long long)q->nameless,
	     (unsigned long long)q->frames, where.buf);
	quality_counts_free(&r);
	str_free(&where);
}

static void warn_of_copies(const struct quality *q)
{
	if (quality_is_poor(q))
		warn("%llu of %llu user stacks could not be unwound to the start of their thread: missing files, or "
		     "another build of them? (--quality says where)",
		     (unsigned long long)q->broken, (unsigned long long)q->stacks);
	if (q->cut * 5 > q->stacks)
		warn("%llu of %llu user stacks are larger than their copies (perf record --call-graph dwarf,65528 "
		     "copies more)",
		     (unsigned long long)q->cut, (unsigned long long)q->stacks);
}

static bool has_calls(const struct perfdata *d)
{
	for (size_t i = 0; i < d->event_count; i++) {
		const struct perf_event_attr *attr = &d->events[i].attr;

		if (attr->sample_type & PERF_SAMPLE_BRANCH_STACK && d->events[i].sample_count &&
		    attr->branch_sample_type & PERF_SAMPLE_BRANCH_CALL_STACK)
			return true;
	}
	return false;
}

static void warn_of_calls(const struct quality *q)
{
	if (q->cut * 5 > q->stacks)
		warn("%llu of %llu user stacks are cut: the processor keeps only the newest 8 to 32 calls (perf "
		     "record --call-graph dwarf or fp records all)",
		     (unsigned long long)q->cut, (unsigned long long)q->stacks);
}

void quality_warn(const struct gather *g, const struct fold *fold, const struct names *names, bool copied)
{
	const struct quality *q = &fold->quality;

	if (copied)
		warn_of_copies(q);
	else if (has_calls(g->roots.data))
		warn_of_calls(q);
	else if (quality_is_poor(q))
		warn("%llu of %llu user stacks do not reach the start of their thread: code built without frame "
		     "pointers? (--quality says where; perf record --call-graph dwarf)",
		     (unsigned long long)q->broken, (unsigned long long)q->stacks);
	if (!warn_of_functions(g, fold, names) && q->nameless * 4 > q->frames)
		warn_of_names(q, g, fold, names);
}
