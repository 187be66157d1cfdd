/* "render states": one bar for each thread, with its time in each state of the scheduler, and the threads that
 * had the CPU while it waited for one. */
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/memory.h"
#include "render/bars/bars.h"
#include "render/bars/bars_text.h"
#include "render/bars/chart.h"
#include "render/bars/table.h"
#include "render/drawing/chart_entry.h"
#include "render/profile/number.h"
#include "render/states/states.h"

/* ---- the words of a chart of what disturbs CPUs ---- */

/* Each row is a source on a CPU (collapse --noise). */

static bool states_noise_is_noise(const struct bars *b, uint32_t kind)
{
	return !strcmp(b->kinds[kind].group, STATES_NOISE);
}

/* Is any of the time noise?  Call this when kinds are dressed. */
static bool states_have_noise(const struct bars *b)
{
	for (uint32_t i = 0; i < b->kind_count; i++) {
		if (states_noise_is_noise(b, i))
			return true;
	}
	return false;
}

/* ---- words --------------------------------------------------------------------------- */

/* The noise of each row; the caller frees it. */
static struct bars_amount *sum_rows(const struct bars *b)
{
	struct bars_amount *rows = xcalloc(b->row_count, sizeof(*rows));

	for (size_t i = 0; i < b->segment_count; i++) {
		if (states_noise_is_noise(b, b->segments[i].kind))
			bars_amount_add(&rows[b->segments[i].row], &b->segments[i].amount);
	}
	return rows;
}

/* The maximum noise of a row, in counts or time; if there is no noise, the maximum of anything; at least 1. */
static uint64_t states_noise_widest(const struct bars *b, bool by_count)
{
	struct bars_amount *rows = sum_rows(b);
	uint64_t noise = 0, any = 1;

	for (size_t i = 0; i < b->row_count; i++) {
		uint64_t of_row = bars_measure(&rows[i], by_count), all = bars_measure(&b->rows[i].amount, by_count);

		noise = of_row > noise ? of_row : noise;
		any = all > any ? all : any;
	}
	free(rows);
	return noise ? noise : any;
}

static void states_noise_add_headline(struct str *out, const struct bars *b, const struct bars_amount *rows)
{
	struct bars_amount all = { 0 };
	size_t most = 0, longest = 0;

	for (size_t i = 0; i < b->row_count; i++) {
		bars_amount_add(&all, &rows[i]);
		most = rows[i].value > rows[most].value ? i : most;
		longest = rows[i].longest > rows[longest].longest ? i : longest;
	}
	bars_value_add(out, b, all.value);
	str_puts(out, " of noise in ");
	bars_value_add(out, b, bars_window(b));
	str_puts(out, ", ");
	percentage_add(out, rows[most].value, all.value);
	str_puts(out, " of it from ");
	bars_row_name(out, b, &b->rows[most]);
	if (b->has_longest) {
		str_puts(out, "; the longest at once: ");
		bars_value_add(out, b, rows[longest].longest);
		str_puts(out, ", ");
		bars_row_name(out, b, &b->rows[longest]);
	}
	str_addc(out, '.');
}

static void states_noise_add_note(struct str *out, const struct bars *b, const struct bars_amount *amount)
{
	if (b->has_longest)
		bars_value_add(out, b, amount->longest);
	if (b->has_longest && b->has_count)
		str_puts(out, ", ");
	if (b->has_count)
		bars_measure_add(out, b, true, amount->count);
}

/* The headline, "3.6 s of noise in 5 s: ...", and a note for each row: "37 µs, 3,243 times". */
static void states_noise_words(struct states_words *w, const struct bars *b)
{
	struct bars_amount *rows = sum_rows(b);

	w->notes = xcalloc(b->row_count, sizeof(*w->notes));
	states_noise_add_headline(&w->headline, b, rows);
	for (size_t i = 0; i < b->row_count; i++)
		states_noise_add_note(&w->notes[i], b, &b->rows[i].amount);
	free(rows);
}

/* ---- the table ----------------------------------------------------------------------- */

static int states_noise_by_value(const void *a, const void *b)
{
	const struct bars_kind *const *x = a, *const *y = b;

	return (*x)->amount.value < (*y)->amount.value   ? 1
	       : (*x)->amount.value > (*y)->amount.value ? -1
							 : (*x)->order - (*y)->order;
}

static void states_noise_add_column(struct bars_table *t, const char *heading, bool right, bool shared)
{
	t->columns[t->column_count++] = (struct table_column){ heading, right, shared };
}

static void states_noise_add_kind(struct bars_table *t, const struct bars *b, const struct bars_kind *kind,
				  uint64_t whole, uint64_t largest)
{
	struct table_row *row = table_add(t);
	size_t column = 3;

	str_puts(&row->cells[0], strchr(kind->label, ' ') + 1); /* without "noise: " */
	bars_value_add(&row->cells[1], b, kind->amount.value);
	percentage_add(&row->cells[2], kind->amount.value, whole);
	row->share = largest ? (double)kind->amount.value / (double)largest : 0;
	if (b->has_count)
		number_add(&row->cells[column++], kind->amount.count);
	if (b->has_longest)
		bars_value_add(&row->cells[column], b, kind->amount.longest);
}

/* Make the table of the kinds of noise. */
static void states_noise_kinds(struct bars_table *t, const struct bars *b)
{
	const struct bars_kind **kinds = xcalloc(b->kind_count, sizeof(const struct bars_kind *));
	uint64_t whole = 0;
	size_t count = 0;

	for (uint32_t i = 0; i < b->kind_count; i++) {
		if (!states_noise_is_noise(b, i))
			continue;
		kinds[count++] = &b->kinds[i];
		whole += b->kinds[i].amount.value;
	}
	qsort(kinds, count, sizeof(const struct bars_kind *), states_noise_by_value);
	t->id = "bars-contenders";
	t->title = "What disturbed, by kind";
	states_noise_add_column(t, "", false, false);
	states_noise_add_column(t, bars_in_ns(b) ? "time" : bars_unit(b), true, false);
	states_noise_add_column(t, "of all noise", true, true);
	if (b->has_count)
		states_noise_add_column(t, "times", true, false);
	if (b->has_longest)
		states_noise_add_column(t, "longest", false, false);
	for (size_t i = 0; i < count; i++)
		states_noise_add_kind(t, b, kinds[i], whole, kinds[0]->amount.value);
	free(kinds);
}

/* ---- the run ---- */

static const char COLLAPSE[] = "--states ";
static const char ONLY_WAITS[] = "These lines have only waits for a CPU; for the other states, draw collapse "
				 "--states of a recording by collect sched.";

static const struct manual manual = {
	.usage = "[options] [FILE...]",
	.about = "Draws each thread's time in each state, and the threads that it waited for.",
	.examples = "  pyrograph collapse --states rec.data | pyrograph render states >states.svg\n"
		    "  pyrograph render states --sort io --top 20 -o states.png rec.folded\n"
		    "  pyrograph render states --pools --colors safe -o states.svg rec.folded\n"
		    "  pyrograph collapse --noise a.data | pyrograph render states >noise.svg\n",
	.more = "Sort by: runnable (waiting for a CPU), running, io, blocked, sleeping, another\n"
		"  state, noise, time (all of it), longest (wait, noise), name.\n",
};

struct run {
	struct bars_options options;
	struct bars_style style;
	struct bars bars;
	struct bars_chart chart;
	struct states_words words;
	struct bars_table contenders;
	bool asked; /* for an order */
};

/* ---- order of rows ---------------------------------------------------------- */

struct sorting {
	const struct bars *bars;
	const struct bars_style *style;
	const char *by;
	uint64_t *key; /* by row */
};

static bool states_comes_before(const void *ctx, const struct bars_row *a, const struct bars_row *b)
{
	const struct sorting *s = ctx;
	bool a_small = bars_is_small(s->bars, s->style, a);
	bool b_small = bars_is_small(s->bars, s->style, b);

	if (a_small != b_small)
		return b_small;
	return s->key[a - s->bars->rows] > s->key[b - s->bars->rows];
}

/* The contribution of this segment to the row's sort key. */
static void states_add_key(const struct sorting *s, const struct bars_segment *segment)
{
	const struct bars_kind *kind = &s->bars->kinds[segment->kind];
	const char *name = intern_text(&s->bars->names, kind->name);
	uint64_t *key = &s->key[segment->row];

	if (!strcmp(s->by, "longest")) {
		if (kind->graded && segment->amount.longest > *key)
			*key = segment->amount.longest;
		return;
	}
	if (!strcmp(s->by, "time") || !strcmp(s->by, kind->group) || !strcmp(s->by, name))
		*key += bars_measure(&segment->amount, s->style->by_count);
}

static void states_sort_rows(struct run *r)
{
	struct sorting s = { .bars = &r->bars, .style = &r->style, .by = r->options.sort };

	s.key = xcalloc(r->bars.row_count, sizeof(*s.key));
	for (size_t i = 0; i < r->bars.segment_count; i++)
		states_add_key(&s, &r->bars.segments[i]);
	bars_sort(&r->bars, states_comes_before, &s);
	free(s.key);
}

/* ---- all of it -------------------------------------------------------------- */

static void states_parse_options(struct run *r, int *argc, char **argv)
{
	const struct opt own[] = { { 's', "sort", "BY", "runnable, running, io, time, name, ... [runnable]",
				     .text = &r->options.sort },
				   { 0, "color-by", "WHAT", "state, or longest (single wait or noise) [state]",
				     .text = &r->options.color_by, .choices = "state longest" },
				   { 0 } };

	r->options = (struct bars_options)BARS_OPTIONS;
	*argc = bars_options_parse(&r->options, own, &manual, *argc, argv);
	if (!r->options.sort)
		r->options.sort = STATES_RUNNABLE;
	else
		r->asked = true;
	if (!strcmp(r->options.sort, "io"))
		r->options.sort = "blocked-io";
	if (!states_is_key(r->options.sort))
		die_usage("--sort needs runnable, running, io, blocked, sleeping, another state, noise, "
			  "time, longest or name, not '%s'",
			  r->options.sort);
	bars_style_make(&r->style, &r->options);
}

static int states_read_input(struct run *r, char **argv, int argc)
{
	struct bars_wish wish = {
		.kind = "state",
		.by = "by",
		.unsaid = "thread,state,by",
		.collapse = COLLAPSE,
		.verb = "states",
		.has_by = states_has_by,
		.is_kind = states_is_state,
	};

	return bars_read_all(&r->bars, &r->style, &r->options, &wish, argv, argc);
}

/* What disturbs CPUs (collapse --noise): a row for each source; all processes of a command are one row, unless options
 * ask for other rows. */
static int draw_noise(struct run *r)
{
	const struct bars_options *o = &r->options;

	if (!o->pools && !o->fold.count && !o->row) {
		r->style.folding.commands = true;
		bars_group(&r->bars, &r->style.folding);
		bars_dress(&r->bars, states_dress);
	}
	if (!r->asked)
		r->options.sort = STATES_NOISE;
	states_sort_rows(r);
	states_noise_words(&r->words, &r->bars);
	states_noise_kinds(&r->contenders, &r->bars);
	r->chart = (struct bars_chart){
		.bars = &r->bars,
		.style = &r->style,
		.kind = "states",
		.title = r->style.title ? r->style.title : "Noise",
		.headline = str_text(&r->words.headline),
		.full = states_noise_widest(&r->bars, r->style.by_count),
		.full_words = "the most of a source of noise",
		.full_group = STATES_NOISE,
		.many = "sources",
		.note_heading = "longest, times",
		.notes = r->words.notes,
		.tables = &r->contenders,
		.table_count = 1,
	};
	return bars_chart_write(&r->chart, r->options.common.output);
}

static int states_draw(struct run *r)
{
	struct bars_chart *chart = &r->chart;
	bool waits;

	bars_dress(&r->bars, states_dress);
	r->style.by_longest &= bars_have_steps(&r->bars); /* else all of it would be grey */
	if (states_have_noise(&r->bars))
		return draw_noise(r);
	waits = states_only_waits(&r->bars);
	states_sort_rows(r);
	states_words_make(&r->words, &r->bars);
	states_contenders(&r->contenders, &r->bars);
	*chart = (struct bars_chart){
		.bars = &r->bars, .style = &r->style, .kind = "states",
		.title = r->style.title ? r->style.title : waits ? "Waits for a CPU" : "Scheduler States",
		.headline = str_text(&r->words.headline),
		.remarks = {
			{ r->words.others.buf, r->words.others_alarm ? TEXT_ALARM : TEXT_DOUBT },
			{ waits ? ONLY_WAITS : NULL, TEXT_NOTE },
		},
		.many = states_many(&r->bars),
		.note_heading = "Waited, behind whom", .notes = r->words.notes,
		.tables = &r->contenders, .table_count = 1,
		.tell_by = states_tell_by,
	};
	return bars_chart_write(chart, r->options.common.output);
}

static int states_write_nothing(struct run *r, const char *reason)
{
	int status = bars_write_nothing(&r->style, "states", reason, r->options.common.output);

	if (r->bars.bad_lines)
		inform("make such lines with: pyrograph collapse %sREC", COLLAPSE);
	return status;
}

static int states_run_verb(int argc, char **argv)
{
	struct run r = { 0 };
	const char *nothing;
	int status = 1;

	states_parse_options(&r, &argc, argv);
	if (states_read_input(&r, argv, argc) < 0)
		goto out;
	nothing = bars_why_nothing(&r.bars, &r.style);
	if (nothing)
		status = states_write_nothing(&r, nothing);
	else
		status = states_draw(&r) < 0;
out:
	table_free(&r.contenders);
	states_words_free(&r.words, r.bars.row_count);
	bars_free(&r.bars);
	bars_style_free(&r.style);
	bars_options_free(&r.options);
	return status;
}

const struct chart_entry states_entry = {
	.verb = { "states", "scheduler states: which threads wait for a CPU, and which have it", states_run_verb },
	.page = &bars_page,
	.is_in = bars_are_in,
	.unfold = bars_unfold,
};
