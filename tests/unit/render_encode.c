/* What encode() wrote, read back by a decoder written from encode.h alone. */
#include <stdlib.h>

#include "render/encoding/encode.h"
#include "tests/unit/check.h"

static uint64_t take_number(const char **at)
{
	uint64_t n = 0;
	int shift = 0, group;

	do {
		group = *(*at)++ - 63;
		n |= (uint64_t)(group & 31) << shift;
		shift += 5;
	} while (group & 32);
	return n;
}

/* The names, one by one; they need no unescaping in this test. */
static void take_names(const struct encoded *e, struct str *names)
{
	const char *at = e->names.buf;

	for (uint32_t i = 0; i < e->name_count; i++) {
		size_t shared = (size_t)(*at++ - 63), len = strcspn(at, "\n");

		if (i)
			str_add(&names[i], names[i - 1].buf, shared);
		str_add(&names[i], at, len);
		at += len + 1;
	}
	CHECK(!*at);
}

/* The values of frame i; *self is its own part of the width. */
static int same_values(const char **at, const struct profile *p, const struct tree *t, uint32_t i, uint64_t *self)
{
	uint64_t count, width = 0, first = 0;

	if (p->combine == COMBINE_MAX)
		width = take_number(at);
	count = take_number(at);
	if (count != t->values_at[i + 1] - t->values_at[i])
		return 0;
	for (size_t v = t->values_at[i]; count--; v++) {
		uint64_t layer = first + take_number(at), value = take_number(at);

		if (layer != t->values[v].layer || value != t->values[v].value)
			return 0;
		if (p->combine == COMBINE_SUM)
			width += value;
		first = layer + 1;
	}
	*self = width;
	return 1;
}

static int same_name(const struct encoded *e, const struct str *names, uint64_t number, const struct profile *p,
		     uint32_t name)
{
	if (number == e->name_count)
		return name == PROFILE_FOLDED_NAME;
	return names[number].len == intern_len(&p->names, name) &&
	       !memcmp(names[number].buf, intern_text(&p->names, name), names[number].len);
}

static int same_tree(const struct encoded *e, const struct profile *p, const struct tree *t, uint32_t root,
		     const struct str *names)
{
	const char *at = e->tree.buf;
	uint32_t depth = 0;

	for (uint32_t i = 0; i < e->frame_count; i++) {
		const struct frame *f = &t->frames[root + i];
		uint64_t first, self = 0, name, gap = 0, self_and_gaps = tree_self(t, root + i);

		for (uint32_t c = root + i + 1; c < f->end; c = t->frames[c].end)
			self_and_gaps -= tree_gap(t, c);
		while (*at == '\n')
			at++;
		first = take_number(&at);
		name = take_number(&at);
		if (name == e->name_count + 1) {
			gap = take_number(&at);
			depth -= (uint32_t)(first >> 1); /* of the parent */
			first = (first & 1) ? take_number(&at) : 2;
			name = take_number(&at);
		}
		if (name == e->name_count && take_number(&at) != tree_folded(t, root + i))
			return 0;
		if (t->arrival && take_number(&at) != t->arrival[root + i])
			return 0;
		if (first & 1 && !p->layer_count)
			self = take_number(&at);
		else if (first & 1 && !same_values(&at, p, t, root + i, &self))
			return 0;
		depth = depth + 1 - (uint32_t)(first >> 1) - !i;
		if (depth != f->depth - t->frames[root].depth || self != self_and_gaps ||
		    (i && gap != tree_gap(t, root + i)) || !same_name(e, names, name, p, f->name))
			return 0;
	}
	return at == e->tree.buf + e->tree.len;
}

static void check_round_trip(const struct profile *p, const struct tree *t, uint32_t root)
{
	struct str *names;
	struct encoded e;

	encode(&e, p, t, root, palette_find("hot"));
	names = calloc(e.name_count, sizeof(*names));
	take_names(&e, names);
	CHECK(e.frame_count == t->frames[root].end - root);
	CHECK(e.colours.len == 8u * e.name_count);
	CHECK(same_tree(&e, p, t, root, names));
	CHECK(p->layer_count || t->arrival || e.frame_count < 1000 || e.tree.len < 6u * e.frame_count);
	for (uint32_t i = 0; i < e.name_count; i++)
		str_free(&names[i]);
	free(names);
	encoded_free(&e);
}

static void check_wish(struct profile *p, const struct tree_wish *wish)
{
	struct tree t;

	tree_build_as(&t, p, wish);
	CHECK(t.count > (wish->detail_bytes ? 300 : 10000));
	CHECK(!wish->detail_bytes || t.fold_count > 100);
	check_round_trip(p, &t, 0);
	for (uint32_t i = 1; i < t.count; i = t.frames[i].end)
		check_round_trip(p, &t, i);
	tree_free(&t);
}

/* Each stack's place among its siblings is that of the input. */
static void check_arrival(const char *path)
{
	struct profile_filter all = { 0 };
	struct tree_wish wish = { .arrival = true };
	struct profile p = { 0 };
	struct tree t;
	FILE *f = fopen(path, "w");

	fputs("z;b 1\na 1\nz;a;c 0\nz;a;x 2\nz 1\nm 1\nz;b;q 5\na;n 1\n", f);
	fclose(f);
	profile_read(&p, path, &all);
	tree_build_as(&t, &p, &wish); /* all (a (n) m z (a (x) b (q))) */
	CHECK(t.count == 9);
	CHECK(t.arrival[1] == 1 && t.arrival[2] == 0 && t.arrival[3] == 2 && t.arrival[4] == 0);
	CHECK(t.arrival[5] == 1 && t.arrival[6] == 0 && t.arrival[7] == 0 && t.arrival[8] == 0);
	tree_free(&t);
	profile_free(&p);
}

/* The length of a shared beginning of names is in characters, which are the same here and in a script, since names are
 * ASCII. */
static void check_letters(const char *path)
{
	struct profile_filter all = { 0 };
	struct tree_wish wish = { 0 };
	struct profile p = { 0 };
	struct encoded e;
	struct tree t;
	FILE *f = fopen(path, "w");

	fputs("abc;\xc3\xa4\xc3\xb6 1\nabd;\xc3\xa4\xc3\xbc 2\n", f);
	fclose(f);
	profile_read(&p, path, &all);
	tree_build_as(&t, &p, &wish);
	encode(&e, &p, &t, 0, palette_find("hot"));
	CHECK_TEXT(e.names.buf, "?abc\nAd\n@ll\n?\xc3\xa4\xc3\xb6\n?\xc3\xa4\xc3\xbc\n");
	encoded_free(&e);
	tree_free(&t);
	profile_free(&p);
}

/* Gaps, everywhere. */
static void check_chart(const char *path)
{
	struct profile_filter chart = { .chart = true };
	struct tree_wish all = { 0 }, some = { .detail_bytes = 100000 };
	struct profile p = { 0 };
	FILE *f = fopen(path, "w");

	for (unsigned i = 0; i < 20000; i++)
		fprintf(f, "thread%s%s%s %u\n", i % 3 ? ";common" : "", i % 3 && i % 5 ? ";b" : "",
			i % 3 && i % 5 && i % 2 ? ";c" : "", i % 200 ? i % 11 + 1 : i * 50);
	fclose(f);
	profile_read(&p, path, &chart);
	profile_chart(&p);
	check_wish(&p, &all);
	check_wish(&p, &some);
	profile_free(&p);
}

int main(void)
{
	struct profile_filter plain = { 0 }, columns = { .layering = LAYERING_COLUMNS };
	struct tree_wish all = { 0 }, some = { .detail_bytes = 100000, .arrival = true };
	struct profile p = { 0 };
	char path[200];
	FILE *f;

	snprintf(path, sizeof(path), "%s/encode.folded", getenv("TMPDIR") ? getenv("TMPDIR") : "/tmp");
	f = fopen(path, "w");
	for (unsigned i = 0; i < 20000; i++)
		fprintf(f, "thread-%u;common::%u;common::prefix::of::names%u;leaf_%u_[k] %u %u\n", i % 3, i % 50,
			i % 997, i % 3001, i % 11, i % 7 ? i % 40 : i * 100000);
	fprintf(f, "thread-1;deep;deep;deep 18446740000000000000\n");
	fclose(f);
	profile_read(&p, path, &plain);
	CHECK(!p.bad_lines);
	check_wish(&p, &all);
	check_wish(&p, &some);
	profile_free(&p);
	profile_read(&p, path, &columns);
	profile_combine(&p, COMBINE_MAX, NULL, 0);
	check_wish(&p, &all);
	check_wish(&p, &some);
	profile_combine(&p, COMBINE_SUM, NULL, 0);
	check_wish(&p, &some);
	profile_free(&p);
	check_letters(path);
	check_arrival(path);
	check_chart(path);
	return check_done();
}
