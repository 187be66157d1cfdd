#include "collapse/run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "collapse/merge.h"
#include "collapse/option_checks.h"
#include "collapse/parse/text_reader.h"
#include "collapse/perfdata/foreign.h"
#include "collapse/picture_input.h"
#include "collapse/recording.h"
#include "collapse/store_input.h"
#include "collapse/text_input.h"
#include "core/memory.h"

static struct regexp **compile_all(const struct text_list *list, const char *option)
{
	struct regexp **all = xcalloc(list->count + 1, sizeof(*all));

	for (size_t i = 0; i < list->count; i++)
		all[i] = regexp_compile(list->items[i], option);
	return all;
}

/* A first line may be longer than what was read: that of a deep stack, for example. */
static void read_first_line(struct input_stream *in)
{
	enum { FIRST_LINE_MAX = 1 << 24 };

	while (!in->at_end && !in->failed && in->head.len < FIRST_LINE_MAX &&
	       !memchr(str_text(&in->head), '\n', in->head.len) && !memchr(str_text(&in->head), '\0', in->head.len))
		input_fill(in, &in->head, 4 * in->head.len);
}

/* A tool's messages may be before its text: they are left out, and reported. */
static void skip_odd_lines(struct options *o, struct input_stream *in)
{
	struct odd_lines odd;
	const struct input_format *format =
		input_format_behind(o->format, in->path, str_text(&in->head), in->head.len, &odd);

	if (!format)
		return;
	warn("%s: skipped lines before the first one of %s: %zu", in->path, format->name, odd.count);
	input_skip(in, odd.bytes, odd.count);
}

static void choose_format(struct options *o, struct input_stream *in)
{
	const char *head;

	if (!o->format)
		read_first_line(in);
	skip_odd_lines(o, in);
	head = str_text(&in->head);
	if (!o->format) {
		o->format = input_format_sniff(in->path, head, in->head.len);
		/* Folded text is worth reading where another format is wanted. */
		if (o->format->sniff(head, in->head.len) != SNIFF_SURE &&
		    (o->diff || strcmp(o->output_format->name, "folded") != 0) &&
		    folded_format.sniff(head, in->head.len) == SNIFF_MAYBE)
			o->format = &folded_format;
	}
	options_check_format(o);
}

/* What is left to do for the lines of several inputs; all else was done for each. */
static void keep_output_options(struct options *o)
{
	*o = (struct options){ .format = &folded_format,
			       .output_format = o->output_format,
			       .recording = "the inputs",
			       .output = o->output,
			       .jobs = o->jobs,
			       .stats = o->stats,
			       .strict = o->strict };
}

static int merge_run(struct collapse *c)
{
	const struct options all = c->options;
	struct merge merge;
	int status = merge_begin(&merge, &all, &c->input);

	keep_output_options(&c->options);
	c->include = compile_all(&c->options.include, "--include");
	c->exclude = compile_all(&c->options.exclude, "--exclude");
	if (!status && c->input.head.len)
		status = text_input_run(c);
	else
		status = -1; /* as each input's process said */
	return merge_end(&merge) < 0 ? -1 : status;
}

static uint64_t collapse_monotonic_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

/* "rec.data: 1234 samples in 56 lines; 7.8 MB in 0.021 s, 371 MB/s" */
static void tell_stats(const struct collapse *c, uint64_t began_ns)
{
	double s = (double)(collapse_monotonic_ns() - began_ns) / 1e9;
	double megabytes = (double)(c->reading.data.size ? c->reading.data.size : c->input.bytes) / 1e6;
	uint64_t samples = c->options.format->parse ? text_samples(&c->text) : c->reading.gather.samples;

	fprintf(stderr, "%s: %llu samples in %llu lines; %.1f MB in %.3f s, %.0f MB/s\n",
		c->reading.data.path ? c->reading.data.path : c->input.path, (unsigned long long)samples,
		(unsigned long long)c->fold.kept, megabytes, s, megabytes / s);
}

static void compile_filters(struct collapse *c)
{
	c->include = compile_all(&c->options.include, "--include");
	c->exclude = compile_all(&c->options.exclude, "--exclude");
	c->rules.hide = compile_all(&c->options.hide, "--hide");
	c->fold.skip_after = c->options.skip_after.items;
	c->fold.skip_count = c->options.skip_after.count;
}

static int run_one(struct collapse *c)
{
	choose_format(&c->options, &c->input);
	compile_filters(c);
	return c->options.format->parse ? text_input_run(c) : recording_run(c);
}

static int picture_run(struct collapse *c)
{
	pid_t child;
	int status = picture_open(&c->input, c->options.recording, &child);

	if (status < 0)
		return -1;
	c->options.format = &folded_format;
	status = c->input.head.len ? run_one(c) : -1; /* as the other process said */
	return picture_close(child) < 0 ? -1 : status;
}

static int collapse_run_all(struct collapse *c)
{
	if (c->options.inputs && !c->options.diff)
		return merge_run(c);
	if (store_is_address(c->options.recording)) {
		compile_filters(c);
		return store_input_run(c);
	}
	if (input_open(&c->input, c->options.recording) < 0)
		return -1;
	if (!c->options.format && strcmp(c->options.recording, "-") != 0 &&
	    input_is_svg(str_text(&c->input.head), c->input.head.len) &&
	    !foreign_is_flame_graph(str_text(&c->input.head), c->input.head.len))
		return picture_run(c);
	return run_one(c);
}

int collapse_run(struct collapse *c)
{
	bool stats = c->options.stats;
	uint64_t began_ns = stats ? collapse_monotonic_ns() : 0;
	int status = collapse_run_all(c);

	if (stats && !status)
		tell_stats(c, began_ns);
	return status;
}

void collapse_free(struct collapse *c)
{
	for (size_t i = 0; c->include && c->include[i]; i++)
		regexp_free(c->include[i]);
	for (size_t i = 0; c->exclude && c->exclude[i]; i++)
		regexp_free(c->exclude[i]);
	for (size_t i = 0; c->rules.hide && c->rules.hide[i]; i++)
		regexp_free(c->rules.hide[i]);
	regexp_free(c->rules.focus);
	free(c->rules.hide);
	frame_rules_free(&c->rules);
	free(c->include);
	free(c->exclude);
	fold_free(&c->fold);
	text_parsed_free(&c->text);
	str_free(&c->text_losses);
	input_close(&c->input);
	intern_free(&c->texts);
	times_free(&c->times);
	timeline_lines_free(&c->timeline);
	parallelism_free(&c->parallelism);
	seen_free(&c->seen);
	reading_free(&c->reading);
}
