#include "render/tree.h"

#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "render/frame.h"

/* A name as it is sorted: without its annotation, which only breaks ties. */
struct sort_key {
	const char *text;
	size_t len, base_len;
	uint32_t name;
};

static int compare_bytes(const char *a, size_t a_len, const char *b, size_t b_len)
{
	int order = memcmp(a, b, a_len < b_len ? a_len : b_len);

	return order ? order : (a_len > b_len) - (a_len < b_len);
}

static int compare_keys(const void *a, const void *b)
{
	const struct sort_key *x = a, *y = b;
	int order = compare_bytes(x->text, x->base_len, y->text, y->base_len);

	return order ? order : compare_bytes(x->text, x->len, y->text, y->len);
}

/* rank[name]: its place among all names. */
static uint32_t *rank_names(const struct intern *names)
{
	struct sort_key *keys = xcalloc(names->count, sizeof(*keys));
	uint32_t *rank = xcalloc(names->count, sizeof(*rank));

	for (uint32_t n = 0; n < names->count; n++) {
		const char *text = intern_text(names, n);
		size_t len = intern_len(names, n);

		keys[n] = (struct sort_key){ text, len, frame_base_len(text, len), n };
	}
	qsort(keys, names->count, sizeof(*keys), compare_keys);
	for (uint32_t i = 0; i < names->count; i++)
		rank[keys[i].name] = i;
	free(keys);
	return rank;
}

/* Every node but the root, by falling rank of its name (a counting sort). */
static uint32_t *nodes_by_rank(const struct profile *p)
{
	uint32_t *rank = rank_names(&p->names);
	size_t *first = xcalloc(p->names.count + 1, sizeof(*first)), sum = 0;
	uint32_t *sorted = xcalloc(p->count, sizeof(*sorted));

	for (size_t n = 1; n < p->count; n++)
		first[rank[p->nodes[n].name]]++;
	for (size_t r = p->names.count; r-- > 0;) {
		size_t count = first[r];

		first[r] = sum;
		sum += count;
	}
	for (size_t n = 1; n < p->count; n++)
		sorted[first[rank[p->nodes[n].name]]++] = (uint32_t)n;
	free(first);
	free(rank);
	return sorted;
}

/* Linked lists: the children of each node, by rising rank.  0 ends a list. */
struct links {
	uint32_t *child, *sibling;
};

static void link_children(struct links *l, const struct profile *p, const uint64_t *totals)
{
	uint32_t *sorted = nodes_by_rank(p);

	l->child = xcalloc(p->count, sizeof(*l->child));
	l->sibling = xcalloc(p->count, sizeof(*l->sibling));
	for (size_t i = 0; i + 1 < p->count; i++) {
		uint32_t n = sorted[i], parent = p->nodes[n].parent;

		if (!totals[n])
			continue;
		l->sibling[n] = l->child[parent];
		l->child[parent] = n;
	}
	free(sorted);
}

static uint64_t *sum_totals(const struct profile *p)
{
	uint64_t *totals = xcalloc(p->count, sizeof(*totals));

	for (size_t n = p->count; n-- > 0;) {
		totals[n] += p->nodes[n].self;
		if (n)
			totals[p->nodes[n].parent] += totals[n];
	}
	return totals;
}

/* Put node n behind the last frame, as a child of frame parent. */
static uint32_t add_frame(struct tree *t, const struct profile *p, uint32_t n, uint32_t parent,
			  uint64_t start, uint64_t total)
{
	uint32_t depth = t->count ? t->frames[parent].depth + 1 : 0;

	t->frames[t->count] = (struct frame){ p->nodes[n].name, parent, 0, depth, start, total };
	return t->count++;
}

/* Depth first without recursion: stacks can be deeper than ours.  Sets node[frame]. */
static void order_frames(struct tree *t, const struct profile *p, struct links *l,
			 const uint64_t *totals, uint32_t *node)
{
	uint32_t at = add_frame(t, p, 0, 0, 0, totals[0]);
	uint64_t start = 0;

	for (;;) {
		uint32_t n = l->child[node[at]];

		if (n) { /* down, to the first child that is left */
			l->child[node[at]] = l->sibling[n];
			node[t->count] = n;
			at = add_frame(t, p, n, at, start, totals[n]);
			continue;
		}
		t->frames[at].end = t->count;
		start = t->frames[at].start + t->frames[at].total;
		if (!at)
			break;
		at = t->frames[at].parent;
	}
}

/* frame_of[node], from the node of each frame; that of the nearest parent for
 * nodes without one (no width in them or below). */
static uint32_t *frames_of_nodes(const struct tree *t, const struct profile *p,
				 const uint32_t *node)
{
	uint32_t *frame_of = xcalloc(p->count, sizeof(*frame_of));

	for (uint32_t i = 0; i < t->count; i++)
		frame_of[node[i]] = i;
	for (size_t n = 1; n < p->count; n++) {
		if (!frame_of[n])
			frame_of[n] = frame_of[p->nodes[n].parent];
	}
	return frame_of;
}

void tree_build(struct tree *t, const struct profile *p)
{
	uint64_t *totals = sum_totals(p);
	uint32_t *node, *frame_of;
	struct links links;

	*t = (struct tree){0};
	if (p->count && totals[0]) {
		link_children(&links, p, totals);
		t->frames = xcalloc(p->count, sizeof(*t->frames));
		node = xcalloc(p->count, sizeof(*node));
		order_frames(t, p, &links, totals, node);
		if (p->layer_count) {
			frame_of = frames_of_nodes(t, p, node);
			tree_add_layers(t, p, frame_of);
			free(frame_of);
		}
		free(node);
		free(links.child);
		free(links.sibling);
	}
	free(totals);
}

uint64_t tree_self(const struct tree *t, uint32_t i)
{
	uint64_t self = t->frames[i].total;

	for (uint32_t c = i + 1; c < t->frames[i].end; c = t->frames[c].end)
		self -= t->frames[c].total;
	return self;
}

uint32_t tree_levels(const struct tree *t, uint32_t i)
{
	uint32_t deepest = t->frames[i].depth;

	for (uint32_t c = i; c < t->frames[i].end; c++) {
		if (t->frames[c].depth > deepest)
			deepest = t->frames[c].depth;
	}
	return deepest - t->frames[i].depth + 1;
}

void tree_free(struct tree *t)
{
	if (!t)
		return;
	free(t->frames);
	free(t->values);
	free(t->values_at);
	*t = (struct tree){0};
}
