#include "collapse/finish.h"

#include "collapse/output/output.h"
#include "core/error.h"
#include "core/wallclock.h"

static uint64_t parse_instant(const char *text, const char *option, uint64_t first_ns, uint64_t last_ns,
			      const char *no_clock)
{
	struct instant when;

	if (!instant_parse(text, &when))
		die_usage("%s: '%s' is not a time; try 10:15:02.5, 2026-11-21T10:15:02Z, +2.5s or -10s", option, text);
	if (no_clock && (when.kind == INSTANT_EPOCH || when.kind == INSTANT_CLOCK))
		die("%s: %s; give an offset such as +2.5s", option, no_clock);
	return instant_resolve(&when, first_ns, last_ns);
}

void finish_times(const struct options *o, uint64_t first_ns, uint64_t last_ns, const char *no_clock, uint64_t *from_ns,
		  uint64_t *to_ns)
{
	*from_ns = o->from ? parse_instant(o->from, "--from", first_ns, last_ns, no_clock) : 0;
	*to_ns = o->to ? parse_instant(o->to, "--to", first_ns, last_ns, no_clock) : UINT64_MAX;
}

void finish_rules(struct collapse *c, struct intern *texts)
{
	const struct options *o = &c->options;

	if (!o->focus && !o->hide.count && !o->recursive && !o->merge_annotations)
		return;
	c->rules.texts = texts;
	c->rules.focus = o->focus ? regexp_compile(o->focus, "--focus") : NULL;
	c->rules.recursion = !o->recursive ? RECURSION_KEEP : *o->recursive ? RECURSION_INDIRECT : RECURSION_DIRECT;
	c->rules.merge_annotations = o->merge_annotations;
	c->fold.rules = &c->rules;
}

bool finish_is_kept(const char *text, size_t len, const void *argument)
{
	const struct collapse *c = argument;

	if (*c->include && !regexp_match_any(c->include, text, len))
		return false;
	return !regexp_match_any(c->exclude, text, len);
}

int finish_keep(struct collapse *c, const struct intern *texts, bool zeros)
{
	fold_keep(&c->fold, texts, zeros, *c->include || *c->exclude ? finish_is_kept : NULL, c);
	columns_tell_most(c->fold.most);
	return finish_kept(c);
}

int finish_kept(struct collapse *c)
{
	if (c->fold.kept)
		return 0;
	c->nothing_left = true;
	if (c->fold.left_out) {
		c->reading.nothing = true;
		return error("%s: all waits are %s (--waits all keeps them)", c->reading.data.path,
			     c->options.waits ? "of other kinds than those of --waits"
					      : "for work: nothing else was waited for");
	}
	if (!*c->include && !*c->exclude && !c->options.focus)
		return error("%s: all values are 0: try another --weight", c->reading.data.path);
	if (c->options.focus && !*c->include && !*c->exclude)
		return error("%s: no frame matches --focus", c->reading.data.path);
	return error("%s: no stack is left after %s", c->reading.data.path,
		     !*c->exclude   ? "--include"
		     : !*c->include ? "--exclude"
				    : "--include and --exclude");
}

struct formatted {
	const struct output_format *format;
	const struct product *product;
};

static void write_formatted(FILE *out, const void *what)
{
	const struct formatted *f = what;

	f->format->write(out, f->product);
}

int finish_product(const struct options *o, const struct product *p)
{
	if (o->take) {
		o->take(o->take_argument, p);
		return 0;
	}
	return output_write(o->output, write_formatted, &(struct formatted){ o->output_format, p });
}
