#include "collapse/text_input.h"

#include <string.h>

#include "collapse/finish.h"
#include "collapse/fold/text_labels.h"
#include "collapse/fold/text_signed.h"
#include "collapse/option_checks.h"
#include "collapse/output/facts.h"
#include "collapse/output/output.h"
#include "collapse/output/text_header.h"
#include "collapse/output/whole_output.h"
#include "collapse/parse/folded_shape.h"
#include "collapse/parse/text_reader.h"
#include "collapse/perfdata/perfdata.h"
#include "core/error.h"
#include "core/format/folded.h"
#include "core/regexp.h"
#include "core/wallclock.h"

/* Times below this, an uptime of 31 years, are taken as uptimes, not as times since 1970. */
#define EPOCH_NS (1000000000 * NS_PER_SEC)

/* --- reading ------------------------------------------------------------------------ */

/* Values of several events cannot be added up, but their samples can. */
static bool samples_are_counted(const struct options *o)
{
	struct roots roots = { 0 };

	roots_parse(&roots, o->root ? o->root : "");
	return !o->weight && ((o->event && !strcmp(o->event, "all")) || (!o->event && roots_has(&roots, "event")));
}

/* Is folded text only merged, filtered and sorted, so that its lines need not be split into frames? */
static bool lines_stay_whole(const struct collapse *c)
{
	const struct options *o = &c->options;
	bool java = o->style.java.norm || o->style.java.short_packages || o->style.java.no_packages;
	bool rules = o->focus || o->hide.count || o->recursive || o->merge_annotations || o->skip_after.count ||
		     o->style.strip_templates;

	return o->format->has & TEXT_IS_FOLDED && !strcmp(o->output_format->name, "folded") && !c->text_setup.timed &&
	       !java && !rules && !o->no_stack && !o->roots_asked && !o->threads && !o->state && !o->take;
}

static const char *time_option(const struct options *o)
{
	return o->timed ? "timed" : o->from ? "from" : "to";
}

/* The first stack of folded text may come after many comments. */
static void read_first_stack(const struct input_format *format, struct text_reader *r)
{
	while (format->has & TEXT_IS_FOLDED && !r->input->at_end && !r->input->failed && !shape_has_stack(&r->ahead))
		input_fill(r->input, &r->ahead, 2 * r->ahead.len);
}

static int text_input_prepare(struct collapse *c, const struct text_reader *r)
{
	const struct options *o = &c->options;
	const char *head = str_text(&r->ahead);
	struct text_setup *setup = &c->text_setup;

	if (r->ahead.len >= strlen(PERFDATA_MAGIC) && !memcmp(head, PERFDATA_MAGIC, strlen(PERFDATA_MAGIC)))
		return error("%s: is a recording: read it with pyrograph collapse without --format %s", r->input->path,
			     o->format->name);
	*setup = (struct text_setup){ .value_count = 1,
				      .timed = o->format->has & TEXT_HAS_TIMES,
				      .binary = o->format->has & TEXT_IS_BINARY,
				      .lines = o->style.lines,
				      .no_files = o->style.files == FILES_NEVER,
				      .inlined = o->inlined_from_files && !o->style.no_inlined && !o->no_stack,
				      .event = o->event,
				      .time_power = options_time_power(o),
				      .labels = options_text_labels(o),
				      .lines_skipped = r->input->lines,
				      .columns_asked = options_column_count(o),
				      .weight = o->format->has & TEXT_HAS_PERIODS ? options_text_weight(o)
										  : TEXT_WEIGHT_EVENT,
				      .style = &o->style };
	if (samples_are_counted(o))
		setup->weight = TEXT_WEIGHT_SAMPLES;
	if (o->format->begin)
		o->format->begin(head, r->ahead.len, setup);
	if (setup->two_seen)
		inform("%s: some lines end in two numbers: the last one is the value (--columns 2 reads two values)",
		       r->input->path);
	if (!setup->timed && (o->timed || o->from || o->to))
		return error("%s: has no times for --%s", r->input->path, time_option(o));
	setup->whole = lines_stay_whole(c);
	setup->keep_times = setup->timed && (o->timed || o->from || o->to || o->format->has & TEXT_STAYS_TIMED);
	return 0;
}

static int read_once(struct collapse *c)
{
	struct text_reader reader;
	int status = -1;

	c->reading.data.path = c->input.path;
	text_reader_begin(&reader, &c->input);
	read_first_stack(c->options.format, &reader);
	if (!text_input_prepare(c, &reader))
		status = text_reader_parse(&reader, c->options.format, &c->text_setup, c->options.jobs, &c->text);
	text_reader_end(&reader);
	return status;
}

static bool has_few_values(const struct collapse *c)
{
	bool few = false;

	for (size_t i = 0; i < c->text.count; i++)
		few |= c->text.shards[i].few_values;
	return few && !c->text_setup.columns && !c->text_setup.columns_asked;
}

/* The first lines of folded text end in two numbers, but later ones do not: then the first of the two numbers belongs
 * to a frame. */
static int read_one_column(struct collapse *c)
{
	const char *path = c->options.recording;
	size_t skipped = c->input.skipped;
	uint64_t lines = c->input.lines;

	if (!input_is_file(&c->input) || !strcmp(path, "-"))
		return error("%s: lines have two values at first, later one: say which, by --columns 1 or --columns 2",
			     c->reading.data.path);
	text_parsed_free(&c->text);
	input_close(&c->input);
	c->options.columns = "1";
	if (input_open(&c->input, path) < 0)
		return -1;
	input_skip(&c->input, skipped, lines);
	return read_once(c);
}

static int text_input_read_text(struct collapse *c)
{
	int status = read_once(c);

	if (!status && has_few_values(c))
		status = read_one_column(c);
	if (!status)
		status = text_tell_refused(&c->text, c->reading.data.path);
	input_close(&c->input);
	return status;
}

/* --- folding ------------------------------------------------------------------------ */

/* The options that --heat implies, as far as they apply to the format. */
static const char *heat_roots(const struct input_format *format)
{
	bool threads = format->has & (TEXT_HAS_PIDS | TEXT_HAS_TIDS);

	if (format->has & TEXT_HAS_CPUS)
		return threads ? "comm,thread,cpu" : "comm,cpu";
	return threads ? "comm,thread" : "comm";
}

static void choose_roots(const struct options *o, const struct text_parsed *p, struct roots *roots)
{
	bool comms = o->format->has & TEXT_HAS_COMMS && text_has_comms(p);

	if (o->format->has & TEXT_HAS_ROOTS && !o->root) {
		roots_parse(roots, o->tid ? "tid" : o->pid ? "pid" : "comm");
		return;
	}
	roots_parse(roots, o->root            ? o->root
			   : o->tid           ? "tid"
			   : o->pid           ? "pid"
			   : o->heat && comms ? heat_roots(o->format)
			   : comms            ? "comm"
					      : "none");
	roots->of_text = true;
	roots->comms_joined = o->format->has & TEXT_COMMS_JOINED;
	if (!o->output_format->tables || o->roots_asked)
		return;
	if ((o->format->has & TEXT_HAS_PIDS) && (o->format->has & TEXT_HAS_TIDS))
		roots_append(roots, "thread,tid");
	if (o->format->has & TEXT_HAS_CPUS)
		roots_append(roots, "cpu");
}

/* Are times wanted, although the input has none? */
static bool times_are_missing(const struct collapse *c)
{
	const struct options *o = &c->options;
	uint64_t first_ns, last_ns;

	return o->format->has & TEXT_HAS_SPANS && (o->timed || o->from || o->to) &&
	       !text_extent(&c->text, &first_ns, &last_ns);
}

static void text_input_choose_times(struct collapse *c, struct text_request *request, bool *is_wall_clock)
{
	struct str no_clock = { 0 };
	uint64_t first_ns, last_ns;

	request->to_ns = UINT64_MAX;
	*is_wall_clock = false;
	if (!text_extent(&c->text, &first_ns, &last_ns))
		return;
	*is_wall_clock = first_ns >= EPOCH_NS;
	str_addf(&no_clock, "the times in %s are not wall-clock times", c->options.recording);
	finish_times(&c->options, first_ns, last_ns, *is_wall_clock ? NULL : no_clock.buf, &request->from_ns,
		     &request->to_ns);
	str_free(&no_clock);
}

/* Warn if most frames have no name, since the profile then has no symbols. */
static void tell_nameless(const struct collapse *c, const struct text_request *request)
{
	if (c->options.format->nameless && request->nameless * 2 > request->frames)
		warn("%s: %llu of its %llu functions have no name, only an address or a file: %s", c->reading.data.path,
		     (unsigned long long)request->nameless, (unsigned long long)request->frames,
		     c->options.format->nameless);
}

static int text_input_error_nothing_left(struct collapse *c)
{
	const struct options *o = &c->options;
	const char *owner = NULL;

	for (int kind = 0; kind < OWNER_CHOICES && !owner; kind++)
		owner = o->owners[kind] ? owner_options[kind] : NULL;
	c->nothing_left = true;
	if (o->format->states && !o->threads && !o->state && !o->from && !o->to)
		return error("%s: no thread of %llu is %s (--state all keeps the others)", o->recording,
			     (unsigned long long)text_samples(&c->text), o->format->states);
	return error("%s: no sample of %llu is left after %s", o->recording, (unsigned long long)text_samples(&c->text),
		     owner        ? owner
		     : o->threads ? "--threads"
		     : o->state ? "--state"
		     : !o->to   ? "--from"
		     : !o->from ? "--to"
				: "--from and --to");
}

static void text_input_fold(struct collapse *c, struct text_request *request)
{
	struct reading *r = &c->reading;
	const struct options *o = &c->options;

	r->gather.roots.data = &r->data;
	r->gather.roots.input = r->data.path;
	r->gather.roots.sideband = &r->sideband;
	r->gather.roots.pool = o->pool;
	choose_roots(o, &c->text, &r->gather.roots);
	if (o->threads)
		r->sideband.thread_names.wanted = regexp_compile(o->threads, "--threads");
	options_choose_owners(o, &r->sideband.owned);
	request->data = &r->data;
	request->sideband = &r->sideband;
	request->roots = &r->gather.roots;
	request->annotate[TEXT_KERNEL] = o->style.kernel;
	request->annotate[TEXT_JIT] = request->annotate[TEXT_INTERPRETED] = request->annotate[TEXT_QUICK] =
		o->style.jit;
	request->annotate[TEXT_INLINED] = true;
	request->java = o->style.java;
	request->strip_templates = o->style.strip_templates;
	request->no_stack = o->no_stack;
	request->count_names = o->format->nameless != NULL;
	request->files = o->style.files;
	request->default_roots = !o->root && !o->pid && !o->tid;
	request->event = o->event;
	request->events = o->format->events;
	request->states = o->state ? o->state : o->format->states;
	request->states_given = o->state != NULL;
	text_columns(&c->text, &r->gather.columns);
	c->fold.columns = &r->gather.columns;
	finish_rules(c, &c->texts);
	c->times.by_value = o->format->has & TEXT_HAS_ROOTS;
	text_fold(&c->text, request, &c->fold, &c->texts, &c->times);
}

/* --- output ------------------------------------------------------------------------- */

static const char *text_input_unit_of(const struct collapse *c, const struct text_request *request)
{
	return c->options.unit                           ? c->options.unit
	       : c->options.format->has & TEXT_HAS_UNITS ? "units"
	       : request->event_unit                     ? request->event_unit
	       : request->unit.len                       ? request->unit.buf
							 : "samples";
}

/* Are all samples of the chosen event spans of time? */
static bool are_spans(const struct collapse *c, const struct text_request *request)
{
	return c->options.format->has & TEXT_HAS_SPANS && !strcmp(text_input_unit_of(c, request), "ns");
}

static bool is_timed(const struct collapse *c)
{
	return c->text_setup.timed && (c->options.timed || c->options.format->has & TEXT_STAYS_TIMED);
}

static void text_input_make_header(struct collapse *c, const struct text_request *request, bool is_wall_clock,
				   uint64_t wrong, struct str *header)
{
	struct text_origin origin = {
		.format = c->options.format->name,
		.unit = text_input_unit_of(c, request),
		.roots = &c->reading.gather.roots,
		.data = &c->reading.data,
		.is_folded = c->options.format->has & (TEXT_IS_FOLDED | TEXT_HAS_ROOTS),
		.timed = is_timed(c),
		.spans = are_spans(c, request),
		.is_wall_clock = is_wall_clock,
		.first_ns = request->first_ns,
		.last_ns = request->last_ns,
		.cut = c->options.from || c->options.to,
		.wrong = wrong,
		.compared = c->compared,
		.losses = str_text(&c->text_losses),
	};
	struct str comments = { 0 }, filter = { 0 };

	options_filter(&c->options, &filter);
	origin.filter = filter.len ? filter.buf + 1 : "";
	text_comments(&c->text, &comments);
	text_header(header, str_text(&comments), &origin);
	str_free(&comments);
	str_free(&filter);
}

static int text_input_write_output(struct collapse *c, const struct text_request *request, bool is_wall_clock,
				   uint64_t wrong)
{
	struct product product = {
		.fold = &c->fold,
		.texts = &c->texts,
		.roots = &c->reading.gather.roots,
		.roots_asked = c->options.roots_asked,
		.is_folded = c->options.format->has & TEXT_IS_FOLDED,
		.spans = c->text_setup.sums_untimed,
		.times = is_timed(c) ? &c->times : NULL,
		.unit = text_input_unit_of(c, request),
	};
	struct header_facts facts = { 0 };
	int status;

	text_input_make_header(c, request, is_wall_clock, wrong, &product.header);
	facts_read(&facts, product.header.buf ? product.header.buf : "");
	if (c->options.format->has & (TEXT_IS_FOLDED | TEXT_HAS_ROOTS) && facts_get(&facts, FOLDED_UNIT))
		product.unit = facts_get(&facts, FOLDED_UNIT);
	product.spans &= !strcmp(product.unit, "ns");
	product.spans |= are_spans(c, request);
	status = finish_product(&c->options, &product);
	facts_free(&facts);
	str_free(&product.header);
	return status;
}

/* Turn negative values into net sums, or into a differential. */
static int write_signed(struct collapse *c, const struct text_request *request, bool is_wall_clock, uint64_t wrong)
{
	struct reading *r = &c->reading;
	uint64_t negative = text_negative(&c->text);

	if (negative && text_signed_net(&c->fold, &r->gather.columns)) {
		inform("%s: negative values, taken off the sums of their stacks: %llu", r->data.path,
		       (unsigned long long)negative);
	} else if (negative) {
		c->compared = true;
		inform("%s: negative values, of some stacks more than others: %llu; each line has what is taken off, "
		       "and what is "
		       "added",
		       r->data.path, (unsigned long long)negative);
	}
	return text_input_write_output(c, request, is_wall_clock, wrong);
}

/* Sort, filter and write lines that were kept whole. */
static int finish_whole(struct collapse *c, uint64_t wrong)
{
	const struct text_request request = { 0 };
	struct whole_order order = { 0 };
	struct str header = { 0 };
	struct columns columns = { 0 };
	const struct whole_output out = { &order, &c->text, &columns, c->text.count, &header, &c->fold.kept };
	int status = -1;

	text_columns(&c->text, &columns);
	whole_order_make(&order, &c->text);
	c->fold.kept = whole_keep(&out, *c->include || *c->exclude ? finish_is_kept : NULL, c);
	if (!finish_kept(c)) {
		text_input_make_header(c, &request, false, wrong, &header);
		status = output_write(c->options.output, whole_write, &out);
	}
	whole_order_free(&order);
	str_free(&header);
	return status;
}

/* Warn if the headers of folded text name units whose values cannot be added up. */
static int check_units(const struct collapse *c)
{
	struct str comments = { 0 }, units = { 0 };
	bool several;

	text_comments(&c->text, &comments);
	several = text_header_units(str_text(&comments), &units) > 1;
	if (several)
		error("%s: values in %s have no sum: choose with --event or --weight", c->reading.data.path, units.buf);
	str_free(&comments);
	str_free(&units);
	return several ? -1 : 0;
}

/* format->wanted describes a line, or an item: "a sample of a speedscope file". */
static int error_no_samples(const struct collapse *c)
{
	const struct input_format *format = c->options.format;
	bool is_item = text_begins(format->wanted, strlen(format->wanted), "a ");
	bool is_line = !is_item && !(format->has & TEXT_IS_BINARY);

	return error("%s: has no %s%s", c->reading.data.path, is_line ? "line of the form " : "",
		     format->wanted + (is_item ? strlen("a ") : 0));
}

/* Add the skipped messages of other programs to the losses; they were reported when they were skipped. */
static void note_skipped(struct collapse *c)
{
	if (c->input.lines)
		str_addf(&c->text_losses, "%sskipped lines %llu", c->text_losses.len ? ", " : "",
			 (unsigned long long)c->input.lines);
}

int text_input_run(struct collapse *c)
{
	struct reading *r = &c->reading;
	const struct input_format *format = c->options.format;
	struct text_request request = { 0 };
	bool is_wall_clock;
	uint64_t wrong;
	int status = -1;

	if (text_input_read_text(c) < 0)
		return -1;
	if (check_units(c) < 0)
		return -1;
	wrong = text_tell_wrong(&c->text, r->data.path, format->wanted) + c->input.damaged;
	text_tell_lost(&c->text, r->data.path, &c->text_losses);
	note_skipped(c);
	if (!text_samples(&c->text) && c->options.event && strcmp(c->options.event, "all") != 0 && !wrong)
		die_usage("--event: %s has no event '%s'", r->data.path, c->options.event);
	if (!text_samples(&c->text))
		return error_no_samples(c);
	if (c->text_setup.whole)
		text_signed_unfold(&c->text, &c->text_setup);
	if (c->text_setup.whole) {
		status = finish_whole(c, wrong);
		return c->options.strict && (wrong || c->input.lines) ? -1 : status;
	}
	if (times_are_missing(c))
		return error("%s: has no times for --%s", r->data.path, time_option(&c->options));
	text_input_choose_times(c, &request, &is_wall_clock);
	if (format->complete)
		format->complete(c->text.shards, c->text.count);
	for (size_t i = 0; i < c->text.count; i++)
		text_stacks_settle(&c->text.shards[i]);
	text_input_fold(c, &request);
	tell_nameless(c, &request);
	if (request.untimed)
		warn("%s: %llu lines are sums without a time: left out by --from and --to", c->options.recording,
		     (unsigned long long)request.untimed);
	if (!request.samples)
		return text_input_error_nothing_left(c);
	if (request.units.len && !(format->has & TEXT_HAS_EVENTS)) /* one event was chosen, or all of them on request */
		return error("%s: values in %s have no sum: choose with --threads", r->data.path, request.units.buf);
	if (!finish_keep(c, &c->texts, !(c->options.format->has & TEXT_HAS_ROOTS)))
		status = write_signed(c, &request, is_wall_clock, wrong);
	str_free(&request.unit);
	str_free(&request.units);
	return c->options.strict && (wrong || c->input.lines) ? -1 : status;
}
