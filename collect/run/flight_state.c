#include "collect/run/flight_state.h"

#include <linux/perf_event.h>
#include <string.h>

#include "collect/recording/living.h"
#include "collect/recording/records.h"
#include "collect/recording/synthesis.h"
#include "collect/run/collection.h"
#include "collect/run/side_band.h"
#include "collect/run/sources.h"
#include "core/wallclock.h"

enum {
	FRESH_BYTES = 4 << 20, /* build the records anew when they have grown by this much */
	PENDING_S = 10,        /* the time until everything that was seen is written: sums, and stacks that are being
			        * walked */
};

static void flight_state_keep(void *argument, const uint8_t *record, uint32_t type)
{
	struct flight_state *s = argument;
	struct perf_event_header header;

	if (!record_is_state(type))
		return;
	memcpy(&header, record, sizeof(header));
	str_add(&s->records, (const char *)record, header.size);
}

static void flight_state_pass_to(struct collection *c, uint64_t offset)
{
	new_records_read(&c->flight.state.passed, c->recording.own_path, offset, flight_state_keep, &c->flight.state);
}

void flight_state_begin(struct collection *c, uint64_t offset)
{
	flight_state_pass_to(c, offset);
	c->flight.state.base = c->flight.state.records.len;
}

/* ---- anew ---- */

static void write_down(struct collection *c)
{
	struct flight_state *state = &c->flight.state;
	struct synthesis s = { 0 };

	if (c->walker)
		walker_finish(c->walker, &c->recording); /* the reader of the data needs its mappings */
	side_band_state(c, true, &s);                    /* children of targets, too */
	str_add(&state->fresh, s.out.buf, s.out.len);
	state->fresh_offset = c->recording.data_end;
	if (c->walker)
		walker_renew(c->walker, &s.out);
	synthesis_free(&s);
}

static void flight_state_replace(struct flight_state *s)
{
	str_free(&s->records);
	s->records = s->fresh;
	s->fresh = (struct str){ 0 };
	s->base = s->records.len;
	s->passed.seen = s->fresh_offset;
}

static void flight_state_note(void *living, const uint8_t *record, uint32_t type)
{
	living_note(living, record, type);
}

/* Forget processes and threads that neither the state nor the recording after offset refers to. */
static void flight_state_forget(struct collection *c, uint64_t offset)
{
	const struct str *state = &c->flight.state.records;
	struct records records = { (const uint8_t *)str_text(state), state->len, 0 };
	struct new_records kept = { offset };
	struct perf_event_header header;
	struct living living = { 0 };
	const uint8_t *record;

	while ((record = records_next(&records, &header)))
		living_note(&living, record, header.type);
	new_records_read(&kept, c->recording.own_path, c->recording.data_end, flight_state_note, &living);
	thread_names_forget(&c->names, &living);
	jit_maps_forget(&c->jit_maps, &living);
	java_maps_forget(&c->java_maps, &living);
	if (c->walker)
		walker_forget(c->walker, &living);
	kept_files_forget(&c->kept_files, state, c->recording.own_path, offset, c->recording.data_end);
	living_free(&living);
}

void flight_state_pass(struct collection *c, uint64_t offset)
{
	struct flight_state *s = &c->flight.state;

	if (s->fresh.len && offset >= s->fresh_offset) {
		flight_state_replace(s);
		flight_state_pass_to(c, offset);
		flight_state_forget(c, offset);
		return;
	}
	if (!s->fresh.len && s->records.len > 2 * s->base + FRESH_BYTES)
		write_down(c);
	flight_state_pass_to(c, offset);
}

void flight_state_files(struct collection *c, uint64_t kept_ns, uint64_t now)
{
	struct flight_state *s = &c->flight.state;

	if (s->files_ns && kept_ns > s->files_ns + PENDING_S * NS_PER_SEC) {
		sources_forget_files(c);
		s->files_ns = 0;
	}
	if (file_list_turn(&c->recording.files))
		s->files_ns = now;
}

void flight_state_free(struct flight_state *s)
{
	str_free(&s->records);
	str_free(&s->fresh);
}
