#include "collect/run/summary.h"

#include <inttypes.h>
#include <string.h>

#include "collect/sampling/stack_walk.h"
#include "core/amount.h"
#include "core/format/events.h"
#include "core/error.h"
#include "core/wallclock.h"

enum { COPIES_CUT_RARELY = 20 }; /* suggest a larger copy only if more than one in this many copies is cut */
enum { FEW_FRAMES = 20 };

static double summary_percent(uint64_t part, uint64_t whole)
{
	return whole ? 100.0 * (double)part / (double)whole : 0;
}

/* The largest stack copy of a sample; 0: none. */
static uint32_t stack_bytes(const struct events *events)
{
	uint32_t most = 0;

	for (size_t i = 0; i < events->count; i++) {
		if (events->list[i].attr.sample_stack_user > most)
			most = events->list[i].attr.sample_stack_user;
	}
	return most;
}

static bool counts_nothing(const struct event *e)
{
	return e->attr.type == PERF_TYPE_SOFTWARE && e->attr.config == PERF_COUNT_SW_DUMMY;
}

/* "990 samples of cpu-clock, page-faults"; returns whether there are such events. */
static bool summary_add_samples(struct str *out, const struct recording *r)
{
	uint64_t samples = r->tally.losses[LOSS_total_samples] - r->tally.samples_of_spans;
	const struct events *events = r->events;
	bool any = false;

	for (size_t i = 0; i < events->count; i++) {
		const struct event *e = &events->list[i];

		if (event_is_ours(e) || counts_nothing(e) || (i && !strcmp(e->name, e[-1].name)))
			continue;
		if (!any)
			str_addf(out, ", %" PRIu64 " %s of ", samples, samples == 1 ? "sample" : "samples");
		str_addf(out, "%s%s", any ? ", " : "", e->name);
		any = true;
	}
	return any;
}

/* ", 812345 spans of sched, 1203 values of lanes" */
static void summary_add_spans(struct str *out, const struct recording *r)
{
	for (size_t i = 0; i < r->events->count && i < TALLY_EVENTS; i++) {
		if (event_is_ours(&r->events->list[i]))
			str_addf(out, ", %" PRIu64 " %s%s of %s", r->tally.spans[i],
				 event_row_of(r->events->list[i].name)->kind == EVENT_VALUES ? "value" : "span",
				 r->tally.spans[i] == 1 ? "" : "s", r->events->list[i].name);
	}
}

/* More than a fifth of the stacks are broken: say where, and what helps. */
static void give_stack_hint(const struct quality *q, const char *of, const struct capture_worst *worst,
			    enum runtime_stacks stacks, const char *remedy)
{
	if (!quality_is_poor(q))
		return;
	if (worst->on_heap * 2 > q->broken) {
		detail("hint: %.0f %% of the user stacks%s do not reach back to the start of their thread, most of "
		       "them of "
		       "virtual threads that have blocked, whose callers are in the heap (or of signal handlers with a "
		       "stack of "
		       "their own)",
		       summary_percent(q->broken, q->stacks), of);
		return;
	}
	if (!strncmp(worst->module, "libjvm", 6))
		remedy = runtime_stack_remedy(RUNTIME_JAVA, stacks);
	else if (worst->is_jit && (stacks == STACKS_WALKED || worst->runtime != RUNTIME_PYTHON))
		remedy = runtime_stack_remedy(worst->runtime, stacks);
	detail("hint: %.0f %% of the user stacks%s do not reach back to the start of their thread%s%s: %s",
	       summary_percent(q->broken, q->stacks), of, *worst->module ? ", most of them in " : "", worst->module,
	       remedy);
}

static void give_stack_hints(const struct capture *c, bool copied)
{
	struct quality samples = quality_of_samples(&c->quality), spans = quality_of_spans(&c->quality);

	give_stack_hint(&samples, spans.stacks ? " of samples" : "", &c->of_samples,
			copied ? STACKS_WALKED : STACKS_OF_SAMPLES,
			copied ? "pyrograph collapse --quality says why"
			       : "built without frame pointers? --call-graph dwarf does not need them");
	give_stack_hint(&spans, " of spans of time", &c->of_spans, STACKS_OF_SPANS,
			"built without frame pointers? With --call-graph fp, or too many, they are not walked");
}

/* Suggest a larger copy if too many copies are cut; those of samples and of spans are counted together. */
static void give_copy_hint(uint64_t cut, const struct quality *q, uint32_t bytes)
{
	if (cut * COPIES_CUT_RARELY > q->stacks && bytes && bytes < CALL_GRAPH_MAX_BYTES)
		detail("hint: %.0f %% of the user stacks are larger than what was copied: --call-graph dwarf,%u "
		       "copies as much as possible",
		       summary_percent(cut, q->stacks), CALL_GRAPH_MAX_BYTES);
}

/* More than a quarter of the frames have no name (if there are enough frames), or many samples are in code without
 * names. */
static void give_name_hint(const struct capture *c)
{
	const struct quality *q = &c->quality;
	const char *remedy = why_remedy(c->nameless_why);

	if (*c->unnamed && q->frames >= FEW_FRAMES) {
		detail("hint: %s, and record again", c->unnamed);
		return;
	}
	if (q->frames < FEW_FRAMES || q->nameless * 4 <= q->frames || !*c->nameless_in)
		return;
	detail("hint: most frames without a name are in %s: %s%s%s%s: pyrograph collapse --quality says more",
	       c->nameless_in, why_text(c->nameless_why), *remedy ? ": " : "", remedy,
	       c->nameless_why == WHY_NO_SYMBOLS ? ", and record again" : "");
}

/* Is there a source of samples among the events?  Other sources themselves explain why there is nothing. */
static bool samples_cpu(const struct events *events)
{
	for (size_t i = 0; i < events->count; i++) {
		const struct event *e = &events->list[i];

		if (!event_is_ours(e) && !e->recorded_as && !counts_nothing(e))
			return true;
	}
	return false;
}

enum { LATE_OFTEN = 10 };

static void give_hints(const struct recording *r, bool sampled, const char *none_since)
{
	const struct tally *t = &r->tally;
	const uint64_t *losses = t->losses;
	uint32_t bytes = stack_bytes(r->events);

	if (losses[LOSS_lost_samples] || losses[LOSS_late_reads] >= LATE_OFTEN)
		detail("hint: rings were full, or nearly: a larger --ring%s helps",
		       sampled && samples_cpu(r->events) ? " or a lower -F" : "");
	if (losses[LOSS_truncated_stacks])
		detail("hint: sudo sysctl kernel.perf_event_max_stack=512 keeps deeper stacks");
	if (losses[LOSS_unwinding_late])
		detail("hint: a lower -F, or fewer BYTES in --call-graph dwarf,BYTES, reduces the unwinding");
	give_copy_hint(losses[LOSS_truncated_copies], &t->capture.quality, bytes);
	give_stack_hints(&t->capture, bytes);
	give_name_hint(&t->capture);
	if (sampled && !losses[LOSS_total_samples] && none_since)
		detail("hint: no samples: %s", none_since);
	else if (sampled && !losses[LOSS_total_samples] && !r->failed && samples_cpu(r->events))
		detail("hint: no samples: did the targets use any CPU time? -a shows who does");
}

void summarize(const struct recording *r, uint64_t ns, const char *none_since, const struct losses_by_source *by)
{
	const uint64_t *losses = r->tally.losses;
	const struct quality *quality = &r->tally.capture.quality;
	struct str size = { 0 }, content = { 0 }, told = { 0 };
	bool sampled;

	size_add(&size, r->size);
	sampled = summary_add_samples(&content, r);
	summary_add_spans(&content, r);
	detail("%s: %s, %.1f s%s", r->path, size.buf, (double)ns / (double)NS_PER_SEC, str_text(&content));
	if (r->kept)
		detail("the older recording is now %s", r->kept);
	losses_report(losses, by);
	if (quality->frames) {
		quality_line(quality, &told);
		detail("%s", told.buf);
	}
	give_hints(r, sampled, none_since);
	str_free(&size);
	str_free(&content);
	str_free(&told);
}
