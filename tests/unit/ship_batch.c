/* The bytes of a batch never change: by its id, a store knows whether it has the batch, from any version of
 * pyrograph. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/sorted.h"
#include "core/wallclock.h"
#include "ship/batch.h"
#include "ship/batch_order.h"
#include "ship/native.h"
#include "tests/unit/check.h"

enum { LABELS = 5, STACKS = 7, ROWS = 1000 };

static const char *hash_of(const struct str *s)
{
	static char text[2 * SIP_BYTES + 1];
	unsigned char hash[SIP_BYTES];

	sip_hash(str_text(s), s->len, hash);
	for (int i = 0; i < SIP_BYTES; i++)
		sprintf(text + 2 * i, "%02x", hash[i]);
	return text;
}

static void define(struct batch_rows *b)
{
	static const char *const labels[LABELS] = {
		"comm=java\tpid=java-8513\ttid=dw-20-8513/8530\tthread=java-8513/dw-20\tcpu=cpu1",
		"comm=java\tthread=java-8513/dw-21\tcpu=[unknown cpu]\tstate=preempted\tby=ls-4711/ls",
		"comm=sh\tcpu=cpu01",
		"cpu=cpu7",
		"",
	};
	struct str text = { 0 };

	for (int i = 0; i < LABELS; i++)
		batch_add_labels(b, labels[i], strlen(labels[i]));
	for (int i = 0; i < STACKS; i++) {
		str_addf(&text, "%sframe %d_[k]", i ? ";" : "main;", i);
		batch_add_stack(b, text.buf, text.len);
	}
	str_free(&text);
}

static void add_rows(struct batch_rows *b, unsigned rows)
{
	for (unsigned i = 0; i < rows; i++) {
		struct batch_sample s = { .time_ns = 1795342502 * NS_PER_SEC + i * 10101010 + i % 7,
					  .weight = i * 1000003,
					  .count = i % 9,
					  .longest = i * 31,
					  .labels = i % (LABELS - 1) + i % 3 / 2,
					  .stack = i * i % STACKS };

		batch_add(b, &s);
	}
}

static void check_repeat(size_t len, size_t rows)
{
	struct str once = { 0 }, all = { 0 };

	str_puts(&once, "before");
	for (size_t i = 0; i < rows; i++)
		str_add(&once, "abcdefghijk", len);
	str_puts(&all, "before");
	native_repeat(&all, "abcdefghijk", len, rows);
	CHECK(all.len == once.len && !memcmp(all.buf, once.buf, all.len));
	str_free(&once);
	str_free(&all);
}

struct sorted_row {
	uint64_t ns;
	uint32_t labels, stack;
};

/* The sort order of the table of samples: by hour, stack, labels, second, ns. */
static int compare(const struct batch_rows *b, const struct sorted_row *x, const struct sorted_row *y)
{
	int order = ORDER(x->ns / NS_PER_SEC / 3600, y->ns / NS_PER_SEC / 3600);

	order = order ? order : memcmp(b->stacks.items[x->stack].hash, b->stacks.items[y->stack].hash, SIP_BYTES);
	order = order ? order : memcmp(b->labels.items[x->labels].hash, b->labels.items[y->labels].hash, SIP_BYTES);
	return order ? order : ORDER(x->ns, y->ns);
}

static void check_order(uint64_t step_ns, uint64_t jump)
{
	struct batch_origin origin = { 0 };
	struct batch_rows b = { .origin = &origin };
	struct sorted_row rows[ROWS];
	char seen[ROWS] = { 0 };
	bool sorted = true, all = true;
	uint32_t *order;

	define(&b);
	for (unsigned i = 0; i < ROWS; i++) {
		rows[i] = (struct sorted_row){ 1795342502 * NS_PER_SEC + i * jump % ROWS / 4 * step_ns, i * 7 % LABELS,
					       i % 11 % STACKS };
		batch_add(&b, &(struct batch_sample){
				      .time_ns = rows[i].ns, .labels = rows[i].labels, .stack = rows[i].stack });
	}
	order = batch_order(&b);
	for (unsigned i = 0; i < ROWS; i++) {
		int before = i ? compare(&b, &rows[order[i - 1]], &rows[order[i]]) : -1;

		sorted &= before < 0 || (!before && order[i - 1] < order[i]);
		all &= order[i] < ROWS && !seen[order[i]]++;
	}
	CHECK(sorted);
	CHECK(all);
	free(order);
	batch_free(&b);
}

int main(void)
{
	struct batch_origin origin = { .host = "db1", .service = "shop", .number = 2, .lost = 3, .seen = 1003 };
	struct batch_rows b = { .origin = &origin };
	struct parcel p = { 0 };
	struct str id = { 0 };

	str_puts(&origin.event, "sched");
	str_puts(&origin.columns, "time,count,longest");
	str_puts(&origin.unit, "ns");
	str_puts(&origin.header, "# pyrograph: host=db1 event=sched unit=ns");
	define(&b);
	add_rows(&b, ROWS);
	batch_end(&b, &p);
	str_add(&id, (const char *)p.id, SIP_BYTES);
	CHECK(p.rows == ROWS);
	CHECK_TEXT(hash_of(&id), "d7ebd54a9628bdd34db6104ab794299f");
	CHECK_TEXT(hash_of(&p.stacks), "fa97bbcba4750bc8a757d3670156f9d2");
	CHECK_TEXT(hash_of(&p.labels), "b04fcbc07e042e3c7a53473b19e139d6");
	CHECK_TEXT(hash_of(&p.announcement), "7c8b741ef0e6f46a9a338193377b3189");
	CHECK_TEXT(hash_of(&p.samples), "c50020cb6e40e8e42f28acffa6b74f72");

	batch_is_stored(&b);
	add_rows(&b, 3); /* the next one: shorter, into the memory of the first */
	batch_end(&b, &p);
	CHECK(p.rows == 3 && !p.stacks.len && !p.labels.len);
	CHECK_TEXT(hash_of(&p.announcement), "e379860b61ec8d70334e5e4142c30607");
	CHECK_TEXT(hash_of(&p.samples), "281c352f8384718d13ebb14c54b7e868");

	for (size_t rows = 0; rows < 10; rows++)
		check_repeat(rows % 3 + 1, rows);
	check_repeat(0, 5);
	check_repeat(11, 1000);
	check_order(10101010, 1);        /* in time */
	check_order(10101010, 7);        /* not */
	check_order(30 * NS_PER_SEC, 3); /* some hours */
	batch_free(&b);
	parcel_free(&p);
	str_free(&id);
	str_free(&origin.event);
	str_free(&origin.columns);
	str_free(&origin.unit);
	str_free(&origin.header);
	return check_done();
}
