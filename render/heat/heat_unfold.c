/* Recovers the folded lines from a heat map's picture. */
#include <inttypes.h>
#include <stdlib.h>

#include "core/error.h"
#include "core/format/folded.h"
#include "core/json.h"
#include "core/memory.h"
#include "core/wallclock.h"
#include "render/encoding/decode.h"
#include "render/encoding/digits.h"
#include "render/encoding/unfold.h"
#include "render/heat/heat_code.h"
#include "render/lanes/lanes.h"
#include "render/profile/sample.h"

enum {
	FLUSH_BYTES = 256 << 10,
	STACKS_BYTES_MAX = 256 << 20, /* even a small file could describe endless stacks */
	GROUP_MAX = 3,
};

static const char ID[] = "heat", DAMAGED[] = "its data is damaged";

struct unfolded_stack {
	uint32_t frame, recording;
	size_t start, len; /* in texts */
};

struct timed_event {
	uint64_t time_ns, value;
	uint32_t stack;
};

struct unfolder {
	struct json settings;
	struct decoded profile;
	struct heat_ticks ticks;
	struct str texts; /* texts of stacks, as in lines */
	struct unfolded_stack *stacks;
	size_t stack_count, stacks_cap, recording_count;
	struct timed_event *events;
	size_t event_count, events_cap;
	uint64_t same; /* the value of all events */
	bool differ;   /* events have different values, and `same` is unused */
	unsigned decimals;
	FILE *out;
	struct str text; /* not written yet */
};

bool heat_is_in(const char *svg, size_t len)
{
	struct str text = { 0 };
	bool found = decode_text(&text, svg, len, ID);

	str_free(&text);
	return found;
}

static uint64_t heat_unfold_number(const struct unfolder *u, const char *key)
{
	uint64_t n;

	return json_u64(json_member(u->settings, key), &n) ? n : 0;
}

static void heat_unfold_flush(struct unfolder *u, size_t limit)
{
	if (u->text.len <= limit)
		return;
	fwrite(u->text.buf, 1, u->text.len, u->out);
	str_clear(&u->text);
}

static void add_seconds(struct str *out, uint64_t ns)
{
	str_add_u64(out, ns / NS_PER_SEC);
	str_addf(out, ".%09" PRIu64, (uint64_t)(ns % NS_PER_SEC));
}

/* ---- settings ----------------------------------------------------------------- */

static bool heat_unfold_read_settings(struct unfolder *u)
{
	struct json tick = json_member(u->settings, "tick"), num = { 0 }, den = { 0 }, rest, item;
	uint64_t group, decimals;

	if (!json_next_item(&tick, &num) || !json_next_item(&tick, &den) ||
	    !json_u64(json_member(u->settings, "origin"), &u->ticks.origin_ns) || !json_u64(num, &u->ticks.num) ||
	    !json_u64(den, &u->ticks.den) || !u->ticks.den || !json_u64(json_member(u->settings, "group"), &group) ||
	    group > GROUP_MAX)
		return false;
	decimals = heat_unfold_number(u, "decimals");
	u->ticks.group = (unsigned)group;
	u->differ = !json_u64(json_member(u->settings, "same"), &u->same);
	u->decimals = decimals > SAMPLE_DECIMALS_MAX ? SAMPLE_DECIMALS_MAX : (unsigned)decimals;
	for (rest = json_member(u->settings, "recordings"); json_next_item(&rest, &item);)
		u->recording_count++;
	return true;
}

/* ---- stacks ------------------------------------------------------------------- */

/* Append the frames from the root to frame; the root itself is not a frame of stacks. */
static bool heat_unfold_add_text(struct unfolder *u, struct unfolded_stack *s)
{
	const struct decoded *d = &u->profile;
	uint32_t *path = NULL, frame = s->frame;
	size_t depth = 0, cap = 0;

	for (; frame; frame = d->frames[frame].parent) {
		path = xgrow(path, &cap, depth + 1, sizeof(*path));
		path[depth++] = frame;
	}
	s->start = u->texts.len;
	while (depth-- && u->texts.len < STACKS_BYTES_MAX) {
		const struct decoded_name *name = &d->names[d->frames[path[depth]].name];

		unfold_frame(&u->texts, d->text.buf + name->start, name->len);
		if (depth)
			str_addc(&u->texts, ';');
	}
	unfold_end_frames(&u->texts, s->start);
	s->len = u->texts.len - s->start;
	free(path);
	return u->texts.len < STACKS_BYTES_MAX;
}

static bool heat_unfold_read_stacks(struct unfolder *u, const char *svg, size_t len)
{
	struct str text = { 0 };
	struct digits in;
	bool good = true;

	decode_text(&text, svg, len, "heat-stacks");
	in = (struct digits){ str_text(&text), str_text(&text) + text.len, false };
	while (good && in.at < in.end) {
		uint64_t frame, recording;
		struct unfolded_stack *s;

		if (*in.at == '\n') {
			in.at++;
			continue;
		}
		frame = digits_take(&in) >> 1;
		recording = u->recording_count > 1 ? digits_take(&in) : 0;
		good = !in.bad && frame < u->profile.frame_count && (recording < u->recording_count || !recording);
		if (!good)
			break;
		u->stacks = xgrow(u->stacks, &u->stacks_cap, u->stack_count + 1, sizeof(*u->stacks));
		s = &u->stacks[u->stack_count++];
		*s = (struct unfolded_stack){ .frame = (uint32_t)frame, .recording = (uint32_t)recording };
		good = heat_unfold_add_text(u, s);
	}
	str_free(&text);
	return good && u->stack_count == heat_unfold_number(u, "stacks");
}

/* ---- events ------------------------------------------------------------------- */

/* The begin of tick n: its first whole ns. */
static bool heat_unfold_time_of(const struct heat_ticks *t, uint64_t n, uint64_t *ns)
{
	__uint128_t scaled = (__uint128_t)n * t->num;
	__uint128_t since = scaled / t->den + !!(scaled % t->den);

	if (since > UINT64_MAX)
		return false;
	*ns = t->origin_ns + (uint64_t)since;
	return true;
}

static void take_group(struct unfolder *u, struct digits *in, uint64_t *tick)
{
	uint64_t most = (1u << u->ticks.group) - 1, head = digits_take(in), count = (head & most) + 1, ns = 0;

	if ((head & most) == most)
		count += digits_take(in);
	in->bad |= __builtin_add_overflow(*tick, head >> u->ticks.group, tick) || !count ||
		   !heat_unfold_time_of(&u->ticks, *tick, &ns);
	for (; count && !in->bad; count--) {
		struct timed_event e = { .time_ns = ns, .value = u->same };
		uint64_t stack = digits_take(in);

		if (u->differ)
			e.value = digits_take(in);
		in->bad |= stack >= u->stack_count;
		e.stack = (uint32_t)stack;
		u->events = xgrow(u->events, &u->events_cap, u->event_count + 1, sizeof(*u->events));
		u->events[u->event_count++] = e;
	}
}

static bool heat_unfold_read_events(struct unfolder *u, const char *svg, size_t len)
{
	struct str text = { 0 };
	struct digits in;
	uint64_t tick = 0;

	decode_text(&text, svg, len, "heat-events");
	in = (struct digits){ str_text(&text), str_text(&text) + text.len, false };
	while (in.at < in.end && !in.bad) {
		if (*in.at == '\n')
			in.at++;
		else
			take_group(u, &in, &tick);
	}
	str_free(&text);
	return !in.bad && u->event_count == heat_unfold_number(u, "events");
}

/* ---- lines -------------------------------------------------------------------- */

static uint64_t since_origin(const struct unfolder *u, struct json ns)
{
	uint64_t n;

	return u->ticks.origin_ns + (json_u64(ns, &n) ? n : 0);
}

/* Append the recording's header, with from and to as in the picture. */
static void heat_unfold_add_header(struct unfolder *u, struct json recording)
{
	struct json rest = json_member(recording, "source"), value;
	struct str key = { 0 }, text = { 0 };

	str_add(&u->text, FOLDED_HEADER, strlen(FOLDED_HEADER) - 1); /* pairs begin with a blank */
	while (json_next_member(&rest, &key, &value)) {
		if (!unfold_is_key(str_text(&key)) || !strcmp(key.buf, FOLDED_COLUMNS) || !json_text(value, &text))
			continue;
		if (!strcmp(key.buf, FOLDED_FROM) || !strcmp(key.buf, FOLDED_TO)) {
			str_clear(&text);
			wallclock_add(&text, since_origin(u, json_member(recording, key.buf)));
		}
		unfold_pair(&u->text, key.buf, &text);
	}
	str_addc(&u->text, '\n');
	str_free(&key);
	str_free(&text);
}

/* [from,to,recording,cpu,lost,"why"] */
static void heat_unfold_add_gap(struct unfolder *u, struct json gap, uint64_t recording)
{
	struct json items[6] = { 0 };
	struct str why = { 0 };
	uint64_t n;

	for (size_t i = 0; i < 6 && json_next_item(&gap, &items[i]); i++)
		;
	if (!json_u64(items[2], &n) || n != recording)
		return;
	str_puts(&u->text, FOLDED_GAP FOLDED_GAP_START "=");
	add_seconds(&u->text, since_origin(u, items[0]));
	str_puts(&u->text, " " FOLDED_GAP_END "=");
	add_seconds(&u->text, since_origin(u, items[1]));
	if (json_u64(items[3], &n))
		str_addf(&u->text, " %s=%" PRIu64, FOLDED_GAP_CPU, n);
	if (json_u64(items[4], &n) && n)
		str_addf(&u->text, " %s=%" PRIu64, FOLDED_GAP_LOST, n);
	if (json_text(items[5], &why) && why.len)
		unfold_pair(&u->text, FOLDED_GAP_WHY, &why);
	str_addc(&u->text, '\n');
	str_free(&why);
}

static void heat_unfold_add_event(struct unfolder *u, const struct timed_event *e)
{
	const struct unfolded_stack *s = &u->stacks[e->stack];

	str_addc(&u->text, '@');
	add_seconds(&u->text, e->time_ns);
	str_addc(&u->text, ' ');
	str_add(&u->text, str_text(&u->texts) + s->start, s->len);
	unfold_value(&u->text, e->value, u->decimals);
	str_addc(&u->text, '\n');
	heat_unfold_flush(u, FLUSH_BYTES);
}

/* [i] the index of the i-th event in the order of recordings, then of time. */
static size_t *order_events(const struct unfolder *u)
{
	size_t *order = xmalloc(u->event_count * sizeof(*order));
	size_t *first = xcalloc(u->recording_count + 2, sizeof(*first));

	for (size_t i = 0; i < u->event_count; i++)
		first[u->stacks[u->events[i].stack].recording + 1]++;
	for (size_t r = 0; r < u->recording_count; r++)
		first[r + 1] += first[r];
	for (size_t i = 0; i < u->event_count; i++)
		order[first[u->stacks[u->events[i].stack].recording]++] = i;
	free(first);
	return order;
}

static void heat_unfold_add_all(struct unfolder *u)
{
	struct json recordings = json_member(u->settings, "recordings"), recording, gaps, gap;
	size_t *order = order_events(u), at = 0;

	for (uint64_t r = 0; json_next_item(&recordings, &recording); r++) {
		heat_unfold_add_header(u, recording);
		for (gaps = json_member(u->settings, "gaps"); json_next_item(&gaps, &gap);)
			heat_unfold_add_gap(u, gap, r);
		for (; at < u->event_count && u->stacks[u->events[order[at]].stack].recording == r; at++)
			heat_unfold_add_event(u, &u->events[order[at]]);
	}
	for (; at < u->event_count; at++) /* events without a recording */
		heat_unfold_add_event(u, &u->events[order[at]]);
	heat_unfold_flush(u, 0);
	free(order);
}

/* ---- the whole ---------------------------------------------------------------- */

static void heat_unfold_unfolder_free(struct unfolder *u)
{
	decoded_free(&u->profile);
	str_free(&u->texts);
	free(u->stacks);
	free(u->events);
	str_free(&u->text);
}

/* The lanes below the map, if there are any. */
static int unfold_lanes(FILE *out, const char *svg, size_t len, const char *path)
{
	struct str text = { 0 };
	bool has = decode_text(&text, svg, len, HEAT_LANES);

	str_free(&text);
	return has ? lanes_unfold_data(out, svg, len, path, HEAT_LANES) : 0;
}

int heat_unfold(FILE *out, const char *svg, size_t len, const char *path)
{
	struct unfolder u = { .out = out };
	struct str settings = { 0 };
	const char *wrong = NULL;
	int status;

	decode_text(&settings, svg, len, ID);
	u.settings = json_make(str_text(&settings), settings.len);
	if (heat_unfold_number(&u, "events"))
		wrong = decode(&u.profile, svg, len);
	if (wrong && !u.profile.settings.len)
		wrong = DAMAGED;
	if (!wrong && (!heat_unfold_read_settings(&u) || !heat_unfold_read_stacks(&u, svg, len) ||
		       !heat_unfold_read_events(&u, svg, len)))
		wrong = DAMAGED;
	if (!wrong)
		heat_unfold_add_all(&u);
	status = wrong ? error("%s: %s", path, wrong) : unfold_lanes(out, svg, len, path);
	heat_unfold_unfolder_free(&u);
	str_free(&settings);
	return status;
}
