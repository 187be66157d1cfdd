#include "report/report_draw.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/arena.h"
#include "core/error.h"
#include "core/format/picture.h"
#include "core/format/run_file.h"
#include "core/str.h"
#include "report/jobs.h"
#include "report/report_charts.h"
#include "report/report_command.h"
#include "report/stages.h"

/* ---- the scripts that the charts of a report share ---- */

/* One file for each kind of chart, in a directory beside the charts: policies of servers allow scripts in files, not
 * those within a chart. */

#define REPORT_SCRIPTS "chart-scripts" /* below the directory of the charts */

/* Write the scripts.  Returns their names, one on each line, allocated in text.  If the scripts cannot be written, it
 * prints a message and returns NULL, and each chart contains its scripts. */
static const char *report_scripts_write(const char *dir, struct arena *text)
{
	struct str into = { 0 }, names = { 0 };
	char *words[] = { "render", "script", "--into", NULL, NULL };
	const char *copy = NULL;

	str_addf(&into, "%s/" REPORT_SCRIPTS, dir);
	words[3] = into.buf;
	if (!stage_read(words, &names) && names.len)
		copy = arena_strdup(text, names.buf, names.len);
	else
		warn("each chart contains its script, which strict policies of servers forbid");
	str_free(&into);
	str_free(&names);
	return copy;
}

/* The charts of --split are in a directory of their own. */
static bool is_split(const char *const *words)
{
	while (*words && strcmp(*words, "--split"))
		words++;
	return *words;
}

/* "index-files/run-0123456789abcdef.js": what pyrograph web will tell of this run; lives in text. */
static const char *report_siblings(const struct report *r, const char *const *words, struct arena *text)
{
	char name[RUN_FILE_NAME];
	struct str url = { 0 };
	const char *copy;

	run_file_name(name, r->files.name, ".js");
	str_addf(&url, "%s" RUN_FILE_FOLDER "/%s", is_split(words) ? "../" : "", name);
	copy = arena_strdup(text, url.buf, url.len);
	str_free(&url);
	return copy;
}

/* The value of --script for a step, which is the words of a render command; it comes from names, and lives in text.
 * NULL for other steps, and without names. */
static const char *report_script_of(const char *names, const char *const *words, struct arena *text)
{
	struct str url = { 0 };
	const char *copy = NULL;
	size_t len;

	if (!names || strcmp(words[0], "render"))
		return NULL;
	len = strlen(words[1]);
	while (*names && (strncmp(names, words[1], len) || names[len] != '-')) {
		names += strcspn(names, "\n");
		names += *names == '\n';
	}
	if (*names) {
		str_addf(&url, "%s" REPORT_SCRIPTS "/%.*s", is_split(words) ? "../" : "", (int)strcspn(names, "\n"),
			 names);
		copy = arena_strdup(text, url.buf, url.len);
	}
	str_free(&url);
	return copy;
}

/* ---- the drawing ---- */

bool report_records(const struct report *r, const char *source)
{
	size_t len = strlen(source);

	for (const char *at = r->sources; at; at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL) {
		if (!strncmp(at, source, len) && (at[len] == ',' || !at[len]))
			return true;
	}
	return false;
}

/* Line n and its length, if there is such a line. */
static const char *report_line(const char *at, size_t n, size_t *len)
{
	while (n-- && *at) {
		at += strcspn(at, "\n");
		at += *at == '\n';
	}
	*len = strcspn(at, "\n");
	return at;
}

/* If there are three lines or more, or nothing stands out, the first line sums up the whole run, and the second one
 * matters. */
static size_t report_fact_number(const char *text)
{
	const char *second;
	size_t len;

	report_line(text, 2, &len);
	if (len)
		return 1;
	second = report_line(text, 1, &len);
	return !strncmp(second, HEADLINE_NOTHING, strlen(HEADLINE_NOTHING));
}

/* The line that says who did it. */
static const char *report_fact(struct report *r)
{
	size_t len;
	const char *fact = report_line(r->headline, report_fact_number(r->headline), &len);

	return arena_strdup(&r->files.text, fact, len);
}

/* Of pyrograph collapse --if-any. */
enum { NOTHING_THERE = 3 };

static int run_step(struct report *r, const char *const *words)
{
	const char *script = report_script_of(r->scripts, words, &r->files.text);
	struct report_command c = { 0 };
	int status;

	command_add_all(&c, words);
	command_add_option(&c, "--script", script);
	command_add_option(&c, "--siblings", script ? report_siblings(r, words, &r->files.text) : NULL);
	command_add_option(&c, "--headline", strcmp(words[0], "render") ? NULL : r->headline);
	command_add_flag(&c, "-q", quiet);
	status = stage_run((char **)c.words, false);
	free(c.words);
	return status;
}

/* Run one step of the chain, and remember the first failure. */
static bool report_draw_step(struct report *r, const char *const *words)
{
	int status = run_step(r, words);

	if (status && !r->status)
		r->status = status;
	return !status;
}

#define STEP(r, ...) report_draw_step(r, (const char *const[]){ __VA_ARGS__, NULL })

/* Run a step that folds.  A source without data is not a failure: it is told, unless what is NULL, and the others are
 * drawn. */
static bool report_draw_fold(struct report *r, const char *what, const char *const *words)
{
	struct report_command c = { 0 };
	int status;

	command_add_all(&c, words);
	COMMAND_ADD(&c, "--if-any");
	status = run_step(r, c.words);
	free(c.words);
	if (status == NOTHING_THERE && what)
		inform("%s: nothing was recorded, so there is no chart", what);
	if (status && status != NOTHING_THERE && !r->status)
		r->status = status;
	return !status;
}

#define FOLD(r, what, ...) report_draw_fold(r, what, (const char *const[]){ __VA_ARGS__, NULL })

/* "Off-CPU time: process 8513" */
static const char *title(struct report *r, const char *what)
{
	struct str text = { 0 };
	const char *copy;

	str_addf(&text, "%s: %s", what, r->subject);
	copy = arena_strdup(&r->files.text, text.buf, text.len);
	str_free(&text);
	return copy;
}

static bool draw_threads(struct report *r)
{
	const char *folded = report_file(&r->files, "-threads.folded");
	const char *pictures = report_file(&r->files, "-threads");

	if (!FOLD(r, NULL, "collapse", "-q", "--sampled", "--root", "thread", "--all", "-o", folded, r->files.data))
		return false;
	r->headline = NULL; /* it is about all threads */
	if (!STEP(r, "render", "flame", "--colors", "java", "--split", "thread", "--split-least", "1", "--title",
		  title(r, r->event ? r->event : "CPU"), "-o", pictures, folded))
		rmdir(pictures); /* fails unless it is empty */
	return true;
}

static bool draw_flames(struct report *r)
{
	const char *event = r->event ? r->event : "CPU", *heading = title(r, event);
	const char *folded = report_file(&r->files, ".folded");

	if (!FOLD(r, event, "collapse", "--sampled", "--root", "comm", "--all", "-o", folded, r->files.data))
		return false;
	STEP(r, "render", "flame", "--colors", "java", "--title", heading, "-o", report_file(&r->files, ".svg"),
	     folded);
	return true;
}

/* Lanes for a heat map, in a file of their own, because other charts are drawn at the same time.  Where the scheduler's
 * states were recorded, the parallelism is one of them.  Returns its path; NULL: the recording has none. */
static const char *fold_lanes(struct report *r, const char *of)
{
	char name[48];
	const char *folded;

	if (!report_records(r, "lanes") && !report_records(r, "sched"))
		return NULL;
	snprintf(name, sizeof(name), "%s-below.folded", of);
	folded = report_file(&r->files, name);
	return FOLD(r, NULL, "collapse", "-q", "--lanes", "-o", folded, r->files.data) ? folded : NULL;
}

/* With columns of a second, a short recording would have only a few. */
static const char *heat_span(const struct report *r)
{
	static const struct {
		uint64_t up_to_s;
		const char *span;
	} spans[] = { { 15, "100ms" }, { 60, "250ms" } };

	for (size_t i = 0; r->length_ns && i < sizeof(spans) / sizeof(*spans); i++) {
		if (r->length_ns <= spans[i].up_to_s * 1000000000)
			return spans[i].span;
	}
	return NULL;
}

/* A heat map contains its lines: a large file of them beside it adds nothing. */
static bool draw_heat(struct report *r)
{
	const char *folded = report_file(&r->files, "-heat.folded"), *lanes;
	struct report_command c = { 0 };
	struct str over_time = { 0 };
	bool folds;

	COMMAND_ADD(&c, "collapse");
	command_add_flag(&c, "-q", !r->heat_only);
	COMMAND_ADD(&c, "--sampled", "--heat", "-o", folded, r->files.data);
	folds = report_draw_fold(r, r->heat_only ? "CPU over time" : NULL, c.words);
	free(c.words);
	if (!folds)
		return false;
	str_addf(&over_time, "%s over time", r->event ? r->event : "CPU");
	c = (struct report_command){ 0 };
	COMMAND_ADD(&c, "render", "heat", "--palette", "java", "--title", title(r, over_time.buf), "-o",
		    report_file(&r->files, "-heat.svg"));
	command_add_option(&c, "--span", heat_span(r));
	lanes = fold_lanes(r, "-heat");
	command_add_option(&c, "--lanes", lanes);
	COMMAND_ADD(&c, folded);
	report_draw_step(r, c.words);
	free(c.words);
	str_free(&over_time);
	unlink(folded);
	if (lanes)
		unlink(lanes);
	return true;
}

static bool fold_chart(struct report *r, const struct report_chart *chart, const char *folded)
{
	struct report_command c = { 0 };
	bool folds, is_latency;

	COMMAND_ADD(&c, "collapse", "-q");
	command_add_all(&c, chart->collapse);
	COMMAND_ADD(&c, "-o", folded, r->files.data);
	is_latency = !strcmp(chart->render[0], "heat"); /* beside a flame graph of the same */
	folds = report_draw_fold(r, is_latency ? NULL : chart->title, c.words);
	free(c.words);
	return folds;
}

static bool draw_chart(struct report *r, const struct report_chart *chart)
{
	char name[32];
	const char *folded, *lanes = NULL;
	struct report_command c = { 0 };
	bool drawn;

	snprintf(name, sizeof(name), "%s.folded", chart->suffix);
	folded = report_file(&r->files, name);
	if (!fold_chart(r, chart, folded))
		return false;
	snprintf(name, sizeof(name), "%s.svg", chart->suffix);
	command_add(&c, "render");
	command_add_all(&c, chart->render);
	command_add_flag(&c, "-q", chart->drops_lines); /* the picture and the collector warn already */
	COMMAND_ADD(&c, "--title", title(r, chart->title), "-o", report_file(&r->files, name));
	if (!strcmp(chart->render[0], "heat"))
		lanes = fold_lanes(r, chart->suffix);
	command_add_option(&c, "--lanes", lanes);
	COMMAND_ADD(&c, folded);
	drawn = report_draw_step(r, c.words);
	free(c.words);
	if (lanes)
		unlink(lanes);
	if (chart->drops_lines)
		unlink(folded);
	return drawn;
}

/* ---- what happened ------------------------------------------------------------------ */

static bool has_waits(const struct report *r)
{
	return report_records(r, "sched") || report_records(r, "offcpu");
}

static bool report_line_begins(const char *line, size_t len, const char *with)
{
	return len >= strlen(with) && !memcmp(line, with, strlen(with));
}

/* Its last lines may each be for some charts only. */
static void cut_lines_of_each(struct report *r, struct str *text)
{
	size_t end = text->len;

	for (const char *at; (at = memrchr(text->buf, '\n', end)); end = (size_t)(at - text->buf)) {
		size_t len = (size_t)(text->buf + end - at) - 1;

		if (!report_line_begins(at + 1, len, HEADLINE_ON_CPUS) && !report_line_begins(at + 1, len, HEADLINE_OF))
			break;
	}
	if (end < text->len)
		r->of_each = arena_strdup(&r->files.text, text->buf + end + 1, text->len - end - 1);
	text->len = end;
}

/* The line that begins with this text, without that text; NULL: there is none. */
static const char *report_line_of(struct report *r, const char *prefix)
{
	size_t len, cut = strlen(prefix);
	const char *line;

	for (size_t i = 0; r->of_each && *(line = report_line(r->of_each, i, &len)); i++) {
		if (report_line_begins(line, len, prefix))
			return arena_strdup(&r->files.text, line + cut, len - cut);
	}
	return NULL;
}

/* "used 1.64 of 2 CPUs for 5.09 s": how long it was recorded, if nobody asked for a certain time. */
static uint64_t headline_length_ns(const char *headline)
{
	const char *at = strstr(headline, " " HEADLINE_USED_CPUS);
	double number;
	char unit[4];

	if (!at)
		at = strstr(headline, " of 1 " HEADLINE_USED_CPU);
	if (!at || sscanf(strstr(at, " for ") + strlen(" for "), "%6lf %3[a-z]", &number, unit) != 2)
		return 0;
	return !strcmp(unit, "s") ? (uint64_t)(number * 1e9) : !strcmp(unit, "ms") ? (uint64_t)(number * 1e6) : 0;
}

/* NULL when there is nothing to tell.  Defects of the recording are reported by the charts. */
static void find_headline(struct report *r)
{
	char *words[] = { "collapse", "-q", "--explain=headline", "--if-any", (char *)r->files.data, NULL };
	struct str text = { 0 };
	int status = stage_read(words, &text);

	r->sums_only = status == NOTHING_THERE;
	if (!status && text.len) {
		text.len -= text.buf[text.len - 1] == '\n';
		cut_lines_of_each(r, &text);
		r->headline = arena_strdup(&r->files.text, text.buf, text.len);
		r->length_ns = r->length_ns ?: headline_length_ns(r->headline);
	}
	str_free(&text);
}

void report_tell_headline(const struct report *r)
{
	static const unsigned char orders[2][3] = { { 0, 1, 2 }, { 1, 2, 0 } };
	const char *line;
	size_t len;

	for (size_t i = 0; r->headline; i++) {
		line = report_line(r->headline, i < 3 ? orders[report_fact_number(r->headline)][i] : i, &len);
		if (len)
			inform("%.*s", (int)len, line);
		else if (i >= 3)
			break;
	}
}

/* No chart: it never counts as drawn. */
static bool report_draw_write_explanation(struct report *r)
{
	FOLD(r, NULL, "collapse", "-q", "--explain", "-o", report_file(&r->files, "-why.txt"), r->files.data);
	return false;
}

/* ---- all of them, side by side ---------------------------------------------------- */

/* A part of the drawing: one with its own function, or a chart of the table. */
struct piece {
	bool (*draw)(struct report *r); /* returns whether there was anything */
	const struct report_chart *chart;
	bool of_cpus;  /* it shows who had the CPUs */
	bool is_first; /* the chart that readers look at first: it has the whole headline, for the page of the run */
};

enum { DRAWN = 0x100, STATUS = 0xff, MOST_PIECES = 4 + REPORT_CHARTS_MAX };

/* The first line of a chart other than the first one: the thread that had most of what the chart shows, or the culprit;
 * nothing if that is about something else. */
static const char *piece_headline(struct report *r, const struct piece *piece)
{
	const char *line = NULL;
	char prefix[32];

	if (piece->chart && piece->chart->own_words)
		return NULL;
	if (piece->chart)
		snprintf(prefix, sizeof(prefix), HEADLINE_OF "%s: ", piece->chart->source);
	if (piece->chart || piece->of_cpus)
		line = report_line_of(r, piece->of_cpus ? HEADLINE_ON_CPUS : prefix);
	return line ? line : report_fact(r);
}

static unsigned draw_piece(void *context, const void *part)
{
	struct report r = *(struct report *)context;
	const struct piece *piece = part;
	bool drawn;

	r.status = 0;
	if (r.headline && !piece->is_first)
		r.headline = piece_headline(&r, piece);
	drawn = piece->draw ? piece->draw(&r) : draw_chart(&r, piece->chart);
	return ((unsigned)r.status & STATUS) | (drawn ? DRAWN : 0);
}

static bool records_all(const struct report *r, const char *sources)
{
	char source[16];
	size_t len;

	for (const char *at = sources; *at; at += len + (at[len] == ',')) {
		len = strcspn(at, ",");
		snprintf(source, sizeof(source), "%.*s", (int)len, at);
		if (!report_records(r, source))
			return false;
	}
	return true;
}

/* Some charts have several possible sources: the first one that exists is used. */
static bool has_piece(const struct piece *pieces, size_t count, const char *suffix)
{
	for (size_t i = 0; i < count; i++) {
		if (pieces[i].chart && !strcmp(pieces[i].chart->suffix, suffix))
			return true;
	}
	return false;
}

/* Returns how many pieces this report has. */
static size_t choose_pieces(const struct report *r, struct piece pieces[MOST_PIECES])
{
	bool cpu = report_records(r, "cpu");
	size_t n = 0, first;

	if (cpu && !r->heat_only) {
		pieces[n++] = (struct piece){ .draw = draw_flames, .of_cpus = true };
		pieces[n++] = (struct piece){ .draw = draw_threads, .of_cpus = true };
	}
	if (cpu)
		pieces[n++] = (struct piece){ .draw = draw_heat, .of_cpus = true };
	first = n;
	for (const struct report_chart *chart = report_charts; chart->source; chart++) {
		if (r->sums_only && !strcmp(chart->collapse[0], "--timeline"))
			continue;
		if (records_all(r, chart->source) && !has_piece(pieces, n, chart->suffix))
			pieces[n++] = (struct piece){ .chart = chart };
	}
	pieces[first < n ? first : 0].is_first = true;
	if (has_waits(r) && !r->sums_only)
		pieces[n++] = (struct piece){ .draw = report_draw_write_explanation };
	return n;
}

void report_index(struct report *r, const char *dir)
{
	STEP(r, "web", dir);
}

void report_draw(struct report *r, const char *dir)
{
	struct piece pieces[MOST_PIECES];
	struct drawing_job jobs[MOST_PIECES];
	size_t count;

	if (has_waits(r) || (report_records(r, "cpu") && !r->heat_only))
		find_headline(r);
	count = choose_pieces(r, pieces);
	if (!r->self_contained)
		r->scripts = report_scripts_write(dir, &r->files.text);
	for (size_t i = 0; i < count; i++)
		jobs[i] = (struct drawing_job){ .run = draw_piece, .part = &pieces[i] };
	jobs_run(jobs, count, r);
	for (size_t i = 0; i < count; i++) {
		int status = jobs[i].result == JOB_LOST ? 1 : (int)(jobs[i].result & STATUS);

		r->status = r->status ? r->status : status;
		r->drawn |= jobs[i].result != JOB_LOST && jobs[i].result & DRAWN;
	}
	if (!r->drawn && !r->status)
		r->status = -error("nothing to draw: the recording has no data");
}
