#include "ship/shipment.h"

#include <string.h>

#include "core/amount.h"
#include "core/error.h"
#include "core/format/shipping.h"
#include "ship/deliver.h"
#include "ship/recording.h"

#define SPOOL_MAX ((uint64_t)1 << 30)

/* ---- one parcel ---- */

static void say_away(const struct shipment *s)
{
	warn("%.*s: is away: %s", (int)strcspn(s->store.url.buf, "?"), s->store.url.buf, store_why(&s->store));
}

static int shipment_keep(struct shipment *s, const struct parcel *p)
{
	if (!s->spool_path)
		return error("%.*s: is away: %s; --spool keeps what it cannot take",
			     (int)strcspn(s->store.url.buf, "?"), s->store.url.buf, store_why(&s->store));
	if (spool_add(&s->spool, p) < 0)
		return -1;
	s->spooled_batches++;
	s->spooled_samples += p->rows;
	return 0;
}

/* A message gave the reason.  With a spool, nothing is lost until the cause is mended. */
static enum store_outcome take_refusal(struct shipment *s)
{
	s->refused = true;
	return s->spool_path ? STORE_AWAY : STORE_REFUSED;
}

static bool take_parcel(void *argument, const struct parcel *p, bool *failed)
{
	struct shipment *s = argument;
	enum store_outcome outcome = STORE_AWAY;
	bool was_there = false;

	if (!s->away)
		outcome = deliver(&s->store, p, &was_there);
	if (outcome == STORE_REFUSED)
		outcome = take_refusal(s);
	else if (outcome == STORE_AWAY && !s->away && s->spool_path)
		say_away(s);
	s->away |= outcome == STORE_AWAY;
	*failed = outcome == STORE_REFUSED || (outcome == STORE_AWAY && shipment_keep(s, p) < 0);
	s->later |= *failed;
	if (outcome != STORE_DONE)
		return false;
	s->sent_batches += !was_there;
	s->sent_samples += was_there ? 0 : p->rows;
	s->known_batches += was_there;
	s->known_samples += was_there ? p->rows : 0;
	return true;
}

/* ---- inputs ---- */

static int ship_text(const char *path, struct stream *stream)
{
	struct lines in;
	int status;

	if (lines_open(&in, path) < 0)
		return -1;
	stream->in = &in;
	stream->path = in.path;
	status = stream_run(stream);
	if (!status && !stream->samples)
		status = error("%s: has no samples", in.path);
	lines_close(&in);
	return status;
}

static int ship_inputs(struct shipment *s)
{
	const struct recording_choice choice = { &s->events, s->by_watch };
	int status = 0;

	for (size_t i = 0; i < s->input_count; i++) {
		struct stream stream = { .host = s->host, .service = s->service, .send = take_parcel, .argument = s };

		status |=
			s->is_text ? ship_text(s->inputs[i], &stream) : recording_each(s->inputs[i], &choice, &stream);
	}
	return status;
}

/* ---- the store ---- */

static int reach(struct shipment *s)
{
	enum store_outcome outcome = STORE_DONE;

	s->schema.database = s->store.database.buf;
	if (s->create)
		outcome = store_create(&s->store, &s->schema);
	if (outcome == STORE_DONE)
		outcome = store_check(&s->store);
	if (outcome == STORE_REFUSED)
		outcome = take_refusal(s);
	if (outcome == STORE_REFUSED)
		return -1;
	s->away = outcome == STORE_AWAY;
	if (s->away && !s->spool_path)
		return error("%.*s: is away: %s; --spool keeps what it cannot take",
			     (int)strcspn(s->store.url.buf, "?"), s->store.url.buf, store_why(&s->store));
	if (s->away && !s->refused)
		say_away(s);
	return 0;
}

static void empty_spool(struct shipment *s)
{
	enum store_outcome outcome;
	uint64_t batches, samples;

	if (!s->spool_path || s->away)
		return;
	outcome = spool_deliver(&s->spool, &s->store, &batches, &samples);
	if (batches && !s->by_watch)
		inform("%s: %llu batches, %llu samples are in the store now", s->spool_path,
		       (unsigned long long)batches, (unsigned long long)samples);
	s->refused |= outcome == STORE_REFUSED;
	s->away = outcome != STORE_DONE;
	if (outcome == STORE_AWAY)
		say_away(s);
}

static void shipment_tell(struct shipment *s)
{
	struct spool_amount there;

	if (s->sent_batches && !s->by_watch)
		inform("%llu samples in %llu batches sent", (unsigned long long)s->sent_samples,
		       (unsigned long long)s->sent_batches);
	if (s->known_batches && !s->by_watch)
		inform("%llu samples in %llu batches were there already", (unsigned long long)s->known_samples,
		       (unsigned long long)s->known_batches);
	if (!s->spool_path)
		return;
	spool_amount(&s->spool, &there);
	if (there.parcels && !s->by_watch)
		inform("%s: %llu batches, %s, wait for the store", s->spool_path, (unsigned long long)there.parcels,
		       size_text(there.bytes).text);
	if (s->spool.damaged)
		warn("%s: %llu batches were damaged: their samples are lost; %llu such files are kept there, as "
		     "*.damaged",
		     s->spool_path, (unsigned long long)s->spool.damaged, (unsigned long long)there.damaged);
	if (s->spool.refused)
		warn("%s: %llu batches were refused; %llu such files are kept there, as *.refused: when the store "
		     "takes "
		     "them, ship --spool %s --retry-refused, or delete them",
		     s->spool_path, (unsigned long long)s->spool.refused, (unsigned long long)there.refused,
		     s->spool_path);
	spool_tell_dropped(&s->spool, !s->away);
}

static int ship_to_store(struct shipment *s)
{
	int status = -1;

	s->later = true;
	if (s->spool_path &&
	    spool_begin(&s->spool, s->spool_path, s->spool_max == UINT64_MAX ? SPOOL_MAX : s->spool_max, s->retry) < 0)
		return -1;
	if (!store_open(&s->store, &s->access) && !reach(s)) {
		empty_spool(s);
		s->later = false;
		status = ship_inputs(s);
		shipment_tell(s);
	}
	status = s->store.doubled ? -1 : status;
	if (s->spool_path) {
		status = s->spool.dropped_batches || s->spool.damaged || s->spool.refused || s->spool.unread ||
					 s->refused
				 ? -1
				 : status;
		spool_close(&s->spool);
	}
	store_free(&s->store);
	return status;
}

int shipment_run(struct shipment *s)
{
	if (!s->to)
		die_usage("where to? --to " SHIPPING_EXAMPLES);
	if (!s->input_count && !s->spool_path && !s->create && !s->check)
		die_usage("no recording: name a file, or a --spool");
	store_parse(&s->store, s->to);
	if (s->check)
		return 0;
	return ship_to_store(s);
}
