#include "collapse/run.h"

#include <stdlib.h>

#include "collapse/merge.h"
#include "collapse/recording.h"
#include "collapse/text/text_reader.h"
#include "collapse/text_input.h"
#include "core/memory.h"

static struct regexp **compile_all(const struct text_list *list, const char *option)
{
	struct regexp **all = xcalloc(list->count + 1, sizeof(*all));

	for (size_t i = 0; i < list->count; i++)
		all[i] = regexp_compile(list->items[i], option);
	return all;
}

static void choose_format(struct options *o, const struct input_stream *in)
{
	if (!o->format)
		o->format = input_format_sniff(in->path, str_text(&in->head), in->head.len);
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

int collapse_run(struct collapse *c)
{
	if (c->options.inputs)
		return merge_run(c);
	if (input_open(&c->input, c->options.recording) < 0)
		return -1;
	choose_format(&c->options, &c->input);
	c->include = compile_all(&c->options.include, "--include");
	c->exclude = compile_all(&c->options.exclude, "--exclude");
	return c->options.format->parse ? text_input_run(c) : recording_run(c);
}

void collapse_free(struct collapse *c)
{
	for (size_t i = 0; c->include && c->include[i]; i++)
		regexp_free(c->include[i]);
	for (size_t i = 0; c->exclude && c->exclude[i]; i++)
		regexp_free(c->exclude[i]);
	free(c->include);
	free(c->exclude);
	fold_free(&c->fold);
	text_parsed_free(&c->text);
	input_close(&c->input);
	intern_free(&c->texts);
	times_free(&c->times);
	names_free(&c->names);
	timeline_lines_free(&c->timeline);
	gather_free(&c->gather);
	user_stacks_free(&c->user_stacks);
	clock_free(&c->clock);
	seen_free(&c->seen);
	sideband_free(&c->sideband);
	str_free(&c->elsewhere);
	live_free(&c->live);
	jit_files_free(&c->jit);
	recorded_symbols_free(&c->recorded);
	perfdata_close(&c->data);
}
