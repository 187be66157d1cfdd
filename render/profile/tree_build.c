/* Builds a tree from a profile. */
#include "render/profile/tree.h"

#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/load_ahead.h"
#include "core/memory.h"
#include "render/profile/frame.h"
#include "core/textsort.h"

/* Compares the annotations of names that are otherwise equal. */
static int compare_annotations(const void *a, const void *b)
{
	const struct sort_text *x = a, *y = b; /* len does not include the annotation */

	return (int)frame_annotation(x->text, x->len + x->key) - (int)frame_annotation(y->text, y->len + y->key);
}

static bool same_text(const struct sort_text *x, const struct sort_text *y)
{
	return x->len == y->len && !memcmp(x->text, y->text, x->len);
}

/* rank[name]: its place when all names are sorted without annotations, which only break ties. */
static uint32_t *tree_build_rank_names(const struct intern *names)
{
	struct sort_text *texts = xcalloc(names->count, sizeof(*texts));
	uint32_t *rank = xcalloc(names->count, sizeof(*rank));

	for (uint32_t n = 0; n < names->count; n++) {
		const char *text = intern_text(names, n);

		texts[n] =
			(struct sort_text){ .text = text, .id = n, .len = frame_base_len(text, intern_len(names, n)) };
	}
	textsort(texts, names->count);
	for (size_t i = 0, first = 0; i < names->count; i++) {
		texts[i].key = intern_len(names, texts[i].id) - texts[i].len;
		if (i + 1 < names->count && same_text(&texts[i], &texts[i + 1]))
			continue;
		if (i > first)
			qsort(texts + first, i + 1 - first, sizeof(*texts), compare_annotations);
		first = i + 1;
	}
	for (uint32_t i = 0; i < names->count; i++)
		rank[texts[i].id] = i;
	free(texts);
	return rank;
}

/* ---- a frame whose children are being added ------------------------------- */

/* An open frame.  Its children are the next node of its stack (called chain here), gaps, and the stacks that hang below
 * it; of these, hung[at] .. hung[kept - 1] are kept. */
struct open_frame {
	uint64_t start; /* of the next child */
	uint64_t chain_total, folded_total;
	uint32_t chain_size, folded_size;
	uint32_t frame, node, stack;
	uint32_t at, kept, end;
	uint32_t places; /* children that are kept */
	bool chain_left, chain_kept;
};

struct builder {
	struct tree *tree;
	struct tree_source source;
	enum tree_order order;
	struct tree_limit limit;
	bool keep_first;
	uint32_t *rank;          /* by name; NULL with ORDER_ARRIVAL */
	uint32_t *place;         /* [stack] with tree_wish.arrival */
	uint32_t *frame_of;      /* [stack] used with layers, or if asked for; NO_FRAME: not known */
	struct open_frame *open; /* [depth] */
	size_t depth, open_cap;
};

enum { NO_FRAME = UINT32_MAX };

static bool tree_build_is_kept(const struct builder *build, uint64_t total, uint32_t stack)
{
	return tree_keeps(&build->limit, total, stack) || (build->keep_first && !build->depth);
}

static int tree_build_compare_stacks(const void *a, const void *b, void *builder)
{
	const struct builder *build = builder;
	const struct profile *p = build->source.profile;
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b, x_rank, y_rank;
	const uint64_t *total = build->source.total;

	if (build->order == ORDER_WIDTH && total[x] != total[y])
		return total[x] > total[y] ? -1 : 1;
	x_rank = build->rank[profile_name(p, p->stacks[x].first)];
	y_rank = build->rank[profile_name(p, p->stacks[y].first)];
	return (x_rank > y_rank) - (x_rank < y_rank);
}

/* Does the next node of o's stack come before the given stack that hangs below o? */
static bool chain_first(const struct builder *build, const struct open_frame *o, uint32_t stack)
{
	const struct profile *p = build->source.profile;
	uint64_t total = build->source.total[stack];

	if (build->order == ORDER_ARRIVAL)
		return true;
	if (build->order == ORDER_WIDTH && o->chain_total != total)
		return o->chain_total > total;
	return build->rank[profile_name(p, o->node + 1)] < build->rank[profile_name(p, p->stacks[stack].first)];
}

/* Find the stacks below o, sort them, and put those that are kept first. */
static void gather_stacks(struct builder *build, struct open_frame *o)
{
	const struct profile *p = build->source.profile;
	uint32_t *hung = build->source.hung;

	for (; o->end + 1 < p->stack_count && p->stacks[hung[o->end]].parent == o->node; o->end++) {
		uint32_t stack = hung[o->end];
		uint64_t total = build->source.total[stack];

		o->chain_total -= total;
		o->chain_size -= build->source.size[stack];
		if (!profile_has_nodes(p, stack) || !total)
			continue;
		if (!tree_build_is_kept(build, total, stack) && !profile_is_gap(p, stack)) {
			o->folded_total += total;
			o->folded_size += build->source.size[stack];
			continue;
		}
		if (build->place)
			build->place[stack] = o->places;
		o->places++;
		hung[o->end] = hung[o->kept];
		hung[o->kept++] = stack;
		load_ahead(&p->nodes[p->stacks[stack].first], 1);
		load_ahead(&build->source.begin[stack], 1); /* soon needed, and far away */
		load_ahead(&build->source.size[stack], 1);
	}
	if (build->order != ORDER_ARRIVAL && o->kept - o->at > 1)
		qsort_r(hung + o->at, o->kept - o->at, sizeof(*hung), tree_build_compare_stacks, build);
}

/* Append a frame as a child of the open frame. */
static uint32_t tree_build_add_frame(struct builder *build, uint32_t name, uint64_t total, uint32_t place)
{
	struct tree *t = build->tree;
	struct open_frame *parent = build->depth ? &build->open[build->depth - 1] : NULL;

	t->frames[t->count] = (struct frame){
		.name = name,
		.parent = parent ? parent->frame : 0,
		.end = t->count + 1,
		.depth = (uint32_t)build->depth,
		.start = parent ? parent->start : 0,
		.total = total,
	};
	if (parent)
		parent->start += total;
	if (build->depth >= t->levels)
		t->levels = (uint32_t)build->depth + 1;
	if (t->arrival)
		t->arrival[t->count] = place;
	return t->count++;
}

/* Add the frame of a node and open it for its children; at: the begin in hung of the stacks below it. */
static void open_node(struct builder *build, uint32_t node, uint32_t stack, uint32_t at, uint64_t total, uint32_t size,
		      uint32_t place)
{
	const struct profile *p = build->source.profile;
	bool ends = node + 1 >= profile_stack_end(p, stack);
	struct open_frame *o;

	build->open = xgrow(build->open, &build->open_cap, build->depth + 1, sizeof(*build->open));
	o = &build->open[build->depth];
	*o = (struct open_frame){ .node = node,
				  .stack = stack,
				  .at = at,
				  .kept = at,
				  .end = at,
				  .chain_total = total,
				  .chain_size = size - 1 };
	o->frame = tree_build_add_frame(build, profile_name(p, node), total, place);
	o->start = build->tree->frames[o->frame].start;
	o->places = !ends; /* the chain came first */
	gather_stacks(build, o);
	if (ends)
		o->chain_total = 0;
	o->chain_left = o->chain_kept = tree_keeps(&build->limit, o->chain_total, stack);
	if (o->chain_total && !o->chain_kept) {
		o->folded_total += o->chain_total;
		o->folded_size += o->chain_size;
	}
	build->depth++;
}

static void fold_rest(struct builder *build, const struct open_frame *o)
{
	struct tree *t = build->tree;
	uint32_t frame;

	if (!o->folded_total)
		return;
	frame = tree_build_add_frame(build, PROFILE_FOLDED_NAME, o->folded_total, o->places);
	t->folds[t->fold_count++] = (struct tree_fold){ frame, o->folded_size };
	t->folded += o->folded_size;
}

/* Set frame_of for the stacks that end in o, or whose first node is folded in o's "..." frame. */
static void place_stacks(struct builder *build, const struct open_frame *o)
{
	const struct profile *p = build->source.profile;
	uint32_t fold = o->folded_total ? build->tree->count - 1 : o->frame;
	bool ends = o->node + 1 >= profile_stack_end(p, o->stack);

	if (!o->chain_kept)
		build->frame_of[o->stack] = !ends && o->chain_total ? fold : o->frame;
	for (uint32_t i = o->kept; i < o->end; i++) {
		uint32_t stack = build->source.hung[i];
		bool folded = profile_has_nodes(p, stack) && build->source.total[stack];

		build->frame_of[stack] = folded ? fold : o->frame;
	}
}

static void close_frame(struct builder *build)
{
	struct open_frame *o = &build->open[build->depth - 1];

	fold_rest(build, o);
	if (build->frame_of)
		place_stacks(build, o);
	build->tree->frames[o->frame].end = build->tree->count;
	build->depth--;
}

/* Depth first, without recursion, since stacks can be deeper than the C stack. */
static void tree_build_add_frames(struct builder *build)
{
	const struct tree_source *s = &build->source;

	open_node(build, 0, 0, s->begin[0], s->total[0], s->size[0], 0);
	while (build->depth) {
		struct open_frame *o = &build->open[build->depth - 1];
		uint32_t stack = o->at < o->kept ? s->hung[o->at] : 0;

		if (o->chain_left && (!stack || chain_first(build, o, stack))) {
			o->chain_left = false;
			open_node(build, o->node + 1, o->stack, o->end, o->chain_total, o->chain_size, 0);
		} else if (stack && profile_is_gap(s->profile, stack)) {
			o->at++;
			o->start += s->total[stack];
		} else if (stack) {
			o->at++;
			open_node(build, s->profile->stacks[stack].first, stack, s->begin[stack], s->total[stack],
				  s->size[stack], build->place ? build->place[stack] : 0);
		} else {
			close_frame(build);
		}
	}
}

/* ---- the whole ------------------------------------------------------------ */

/* Stacks below a folded frame belong to the same fold. */
static void place_folded(struct builder *build)
{
	const struct profile *p = build->source.profile;

	for (uint32_t s = 1; s < p->stack_count; s++) {
		if (build->frame_of[s] == NO_FRAME)
			build->frame_of[s] = build->frame_of[p->stacks[s].in];
	}
}

/* How many stacks hang below the root. */
static uint32_t first_count(const struct tree_source *s)
{
	uint32_t count = 0;

	while (count + 1 < s->profile->stack_count && !s->profile->stacks[s->hung[count]].parent)
		count++;
	return count;
}

static void tree_build_allocate(struct builder *build, const struct tree_wish *wish)
{
	const struct profile *p = build->source.profile;
	struct tree *t = build->tree;
	uint64_t kept, folds;

	tree_kept(&build->source, &build->limit, &kept, &folds);
	if (wish->keep_first) { /* each child may have a fold below it */
		kept += first_count(&build->source);
		folds += first_count(&build->source);
	}
	if (kept + folds >= UINT32_MAX)
		die("more than 4 billion frames");
	t->frames = xmalloc((kept + folds) * sizeof(*t->frames));
	t->folds = xcalloc(folds, sizeof(*t->folds));
	if (build->order != ORDER_ARRIVAL)
		build->rank = tree_build_rank_names(&p->names);
	if (wish->arrival) {
		t->arrival = xcalloc(kept + folds, sizeof(*t->arrival));
		build->place = xcalloc(p->stack_count, sizeof(*build->place));
	}
	if (p->layer_count || wish->frame_of) {
		build->frame_of = xmalloc(p->stack_count * sizeof(*build->frame_of));
		memset(build->frame_of, 0xff, p->stack_count * sizeof(*build->frame_of));
	}
}

void tree_build_as(struct tree *t, const struct profile *p, const struct tree_wish *wish)
{
	struct builder build = { .tree = t };

	*t = (struct tree){ .charted = p->charted };
	if (!p->count)
		return;
	build.keep_first = wish->keep_first;
	build.order = p->charted ? ORDER_ARRIVAL : wish->order;
	tree_source_make(&build.source, p);
	if (build.source.total[0]) {
		build.limit = tree_limit_for(&build.source, wish->detail_bytes);
		tree_build_allocate(&build, wish);
		tree_build_add_frames(&build);
		t->least = t->fold_count ? build.limit.high : 0;
		if (build.frame_of)
			place_folded(&build);
		if (p->layer_count)
			tree_add_layers(t, p, build.frame_of);
	}
	tree_source_free(&build.source);
	free(build.rank);
	free(build.place);
	if (wish->frame_of)
		t->frame_of = build.frame_of;
	else
		free(build.frame_of);
	free(build.open);
}

void tree_build(struct tree *t, const struct profile *p)
{
	static const struct tree_wish all = { 0 };

	tree_build_as(t, p, &all);
}
