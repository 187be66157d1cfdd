#include "collapse/run.h"

#include <stdlib.h>

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

static void choose_format(struct options *o)
{
	struct str head = { 0 };

	if (!o->format) {
		text_peek(o->recording, &head);
		o->format = input_format_sniff(o->recording, str_text(&head), head.len);
	}
	str_free(&head);
	options_check_format(o);
}

int collapse_run(struct collapse *c)
{
	choose_format(&c->options);
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
