/* What encode() wrote, read back by a decoder written from encode.h alone. */
#include <stdlib.h>

#include "render/encode.h"
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

static int same_tree(const struct encoded *e, const struct profile *p, const struct tree *t,
		     uint32_t root, const struct str *names)
{
	const char *at = e->tree.buf;
	uint32_t depth = 0;

	for (uint32_t i = 0; i < e->frame_count; i++) {
		const struct frame *f = &t->frames[root + i];
		uint64_t first, self;
		const struct str *name;

		while (*at == '\n')
			at++;
		first = take_number(&at);
		name = &names[take_number(&at)];
		self = first & 1 ? take_number(&at) : 0;
		depth = depth + 1 - (uint32_t)(first >> 1) - !i;
		if (depth != f->depth - t->frames[root].depth || self != tree_self(t, root + i) ||
		    name->len != intern_len(&p->names, f->name) ||
		    memcmp(name->buf, intern_text(&p->names, f->name), name->len))
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
	CHECK(e.frame_count < 1000 || e.tree.len < 6u * e.frame_count);
	for (uint32_t i = 0; i < e.name_count; i++)
		str_free(&names[i]);
	free(names);
	encoded_free(&e);
}

int main(void)
{
	struct profile_filter all = {0};
	struct profile p = {0};
	struct tree t;
	char path[200];
	FILE *f;

	snprintf(path, sizeof(path), "%s/encode.folded", getenv("TMPDIR") ? getenv("TMPDIR") : "/tmp");
	f = fopen(path, "w");
	for (unsigned i = 0; i < 20000; i++)
		fprintf(f, "thread-%u;common::%u;common::prefix::of::names%u;leaf_%u_[k] %u\n", i % 3,
			i % 50, i % 997, i % 3001, i % 7 ? i % 40 : i * 100000);
	fprintf(f, "thread-1;deep;deep;deep 18446744070000000000\n");
	fclose(f);
	profile_read(&p, path, &all);
	tree_build(&t, &p);
	CHECK(t.count > 10000);
	check_round_trip(&p, &t, 0);
	for (uint32_t i = 1; i < t.count; i = t.frames[i].end)
		check_round_trip(&p, &t, i);
	tree_free(&t);
	profile_free(&p);
	return check_done();
}
