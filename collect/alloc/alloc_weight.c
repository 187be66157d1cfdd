#include "collect/alloc/alloc_weight.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "core/map.h"
#include "core/memory.h"

/* Sizes are fractions of a TLAB here, in BINS steps of a quarter of an octave, from SMALLEST on. */
enum {
	BINS = 24,
	BINS_IN_OCTAVE = 4,
	OCTAVES = BINS / BINS_IN_OCTAVE,
	OWN_EVENTS = 64,
	KINDS = 64,
	ROUNDS = 20,
	INNER_ROUNDS = 6,
	ENOUGH_TLABS = 8,
	CYCLE = 8, /* longest cycle in which TLABs may begin alike */
};

static const double SMALLEST = 1.0 / (1 << OCTAVES); /* -XX:TLABRefillWasteFraction=64 */

static const double CYCLIC = 0.95; /* a cycle this pronounced is no accident */

/* Values of burstiness(): the least that matters; that of bursts much shorter than a TLAB; that of bursts about as long
 * as one. */
static const double SOME_BURSTS = 0.5, SHORT_BURSTS = 1, LONG_BURSTS = 4;

/* What was seen of one thread or of all, and the weights that follow from it. */
struct mix {
	uint32_t tlabs, small;               /* numbers of new TLABs, and of those that began with a small object */
	uint32_t outside[BINS], first[BINS]; /* numbers of larger objects, by bin: outside any TLAB, and first in a
					      * TLAB */
	double sizes[BINS];                  /* sum of the sizes of these objects */
	uint64_t events;
	double outside_squares; /* sum of the squares of the number of objects outside per TLAB */
	double outside_sum;
	double limit;         /* present waste limit; objects up to it are small */
	double small_weight;  /* weight in TLABs */
	double weights[BINS]; /* weights in objects */
};

struct thread {
	int tid;
	bool is_old;                  /* the thread already had a TLAB */
	bool has_ended;               /* its last TLAB ended before a collection, and the object went outside */
	double tlab, limit;           /* bytes of its last TLAB; 0: unknown */
	double left;                  /* approximate part of the TLAB that was left at the last event */
	uint32_t outside;             /* number of objects outside that would have fitted into an empty TLAB */
	uint64_t began[CYCLE], begun; /* sizes of the objects that its last TLABs began with; number of TLABs */
	struct mix *mix;
};

struct alloc_weights {
	struct thread *threads;
	size_t count, cap;
	struct map by_tid; /* tid -> index in threads + 1 */
	struct mix all;    /* what was seen of all threads, used for threads of which too little was seen */
	uint64_t begun[CYCLE], begun_alike[CYCLE]; /* number of TLABs except the first of each thread; of those, how
						    * many began like the previous one, the one before that, ... */
	struct kind {
		uint64_t size, begun; /* number of TLABs that began with an object of that size */
	} kinds[KINDS];               /* the sizes that were seen first */
};

struct alloc_weights *alloc_weights_new(void)
{
	return xcalloc(1, sizeof(struct alloc_weights));
}

void alloc_weights_free(struct alloc_weights *w)
{
	if (!w)
		return;
	for (size_t i = 0; i < w->count; i++)
		free(w->threads[i].mix);
	free(w->threads);
	map_free(&w->by_tid);
	free(w);
}

/* ---- threads ---- */

static struct thread *alloc_weight_find_thread(struct alloc_weights *w, int tid)
{
	uint32_t *place = map_at(&w->by_tid, (uint64_t)tid, 0);
	struct thread *t;

	if (*place)
		return &w->threads[*place - 1];
	w->threads = xgrow(w->threads, &w->cap, w->count + 1, sizeof(*w->threads));
	t = &w->threads[w->count++];
	*t = (struct thread){ .tid = tid, .mix = xcalloc(1, sizeof(*t->mix)) };
	*place = (uint32_t)w->count;
	return t;
}

void alloc_weights_add_thread(struct alloc_weights *w, int tid)
{
	alloc_weight_find_thread(w, tid)->is_old = true;
}

/* ---- probabilities ---- */

/* How long a TLAB lasts; in one unit of time, small objects use up one TLAB. */
struct course {
	double rate[BINS];    /* larger objects in unit time */
	double reached[BINS]; /* the time until they no longer fit, counted back from when only the limit is left */
	double end;           /* the time from when only the limit is left until a new TLAB begins */
	double whole;         /* from the beginning, without end */
};

/* Are there objects in this bin, and are they larger than the limit? */
static bool is_used(const struct mix *m, int bin)
{
	uint32_t seen = m->outside[bin] + m->first[bin];

	return seen && m->sizes[bin] / seen > m->limit;
}

static double size_in(const struct mix *m, int bin)
{
	return m->sizes[bin] / (m->outside[bin] + m->first[bin]);
}

/* How often objects of the bin come, if `time` units have passed since less than `at` was left, which shrinks at rate
 * `drift`.  *level: the remainder at which they no longer fit: their size, less what the crossing object takes beyond
 * it, which is half that object's size if it is a large one. */
static double find_rate(double seen, double size, double time, double drift, double squares, double at, double rate,
			double *level)
{
	for (int i = 0; i < INNER_ROUNDS; i++) {
		*level = size - (squares + rate * size * size) / 2 / (drift + rate * size);
		if (*level < at)
			*level = at;
		rate = seen / (time + (*level - at) / drift);
	}
	return rate;
}

/* Do one iteration, from small sizes to large ones, with the rates of the previous iteration. */
static void alloc_weight_follow(const struct mix *m, struct course *c)
{
	double drift = 1, squares = 0, time = 0, at = m->limit, sum = 0, level;

	for (int i = 0; i < BINS; i++) {
		double seen = (double)(m->outside[i] + m->first[i]) / m->tlabs;

		if (!is_used(m, i))
			continue;
		c->rate[i] = find_rate(seen, size_in(m, i), c->end + time, drift, squares, at, c->rate[i], &level);
		c->reached[i] = time += (level - at) / drift;
		at = level;
		drift += c->rate[i] * size_in(m, i);
		squares += c->rate[i] * size_in(m, i) * size_in(m, i);
		sum += c->rate[i];
	}
	c->whole = time + (at < 1 ? (1 - at) / drift : 0);
	/* The TLAB ends when no small object fits, or earlier with a larger one. */
	c->end = sum > 0 ? (1 - exp(-sum * m->limit)) / sum : m->limit;
}

/* The share of a bin's objects in all bytes in TLABs. */
static double inside(const struct mix *m, const struct course *c, int bin)
{
	return c->rate[bin] > 0 ? c->rate[bin] * size_in(m, bin) * (c->whole - c->reached[bin]) : 0;
}

/* The share of small objects in all bytes.  If fewer TLABs began with a small object than this share predicts,
 * TLABs end because there is no room for one more large object. */
static double small_part(const struct mix *m, const struct course *c, double larger)
{
	double part = (c->whole + c->end) / (c->whole + c->end + larger), sum = 0;
	double seen = (double)m->small / m->tlabs;

	for (int i = 0; i < BINS; i++)
		sum += c->rate[i];
	if (larger == 0)
		return 1;
	return seen < exp(-sum * m->limit) ? part * seen / exp(-sum * m->limit) : part;
}

static void solve(struct mix *m)
{
	struct course c = { .end = m->limit };
	double larger = 0, small;

	if (!m->tlabs || m->limit >= 1)
		return;
	for (int i = 0; i < ROUNDS; i++)
		alloc_weight_follow(m, &c);
	for (int i = 0; i < BINS; i++)
		larger += inside(m, &c, i);
	small = small_part(m, &c, larger);
	m->small_weight = m->small ? small * m->tlabs / m->small : 0;
	for (int i = 0; i < BINS; i++) {
		double seen = m->outside[i] + m->first[i];
		double hidden = larger > 0 ? inside(m, &c, i) / larger * (1 - small) * m->tlabs : 0;

		if (is_used(m, i))
			m->weights[i] = (m->outside[i] + hidden / size_in(m, i)) / seen;
	}
}

/* ---- objects ---- */

/* The bin of a size; -1: small. */
static int bin_of(double size, double limit)
{
	int bin = (int)((log2(size) + OCTAVES) * BINS_IN_OCTAVE);

	return size <= limit ? -1 : bin < 0 ? 0 : bin < BINS ? bin : BINS - 1;
}

static void alloc_weight_count(struct mix *m, double limit, int bin, double size, bool is_first)
{
	m->limit = limit;
	m->tlabs += is_first;
	if (bin < 0) {
		m->small += is_first;
	} else {
		m->sizes[bin] += size;
		m->first[bin] += is_first;
		m->outside[bin] += !is_first;
	}
	if (++m->events % OWN_EVENTS == 0 || !(m->events & (m->events - 1)))
		solve(m);
}

static double weight_at_random(const struct mix *m, double size, int bin, bool is_first)
{
	if (bin < 0)
		return is_first ? (m->small_weight > 0 ? m->small_weight : 1) : size;
	return size * (m->weights[bin] > 1 ? m->weights[bin] : 1);
}

/* ---- bursts ---- */

static void count_outside(struct mix *m, double outside)
{
	m->outside_sum += outside;
	m->outside_squares += outside * outside;
}

/* How much more the number of objects outside varies than if objects came at random moments.  With random moments, this
 * number is Poisson distributed (variance = mean) if all TLABs last equally long, and at most geometric (mean + mean^2)
 * otherwise. */
static double burstiness(const struct mix *m)
{
	double mean, variance;

	if (m->tlabs < ENOUGH_TLABS || m->outside_sum == 0)
		return 0;
	mean = m->outside_sum / m->tlabs;
	variance = m->outside_squares / m->tlabs - mean * mean;
	return (variance / mean - 1) / (1 + mean);
}

/* Returns 0 up to x = from, then rises to 1 at x = to. */
static double ramp(double x, double from, double to)
{
	return x < from ? 0 : x > to ? 1 : (x - from) / (to - from);
}

/* The part `forward` of what is allocated between two events goes to the first, the rest to the second.  What is left
 * is less than the size of the object that did not fit; half that size is the best guess. */
static double weight_in_burst(struct thread *t, double size, double limit, bool is_first, double forward)
{
	double left = fmin(is_first ? limit : size, t->left) / 2;
	double weight = (1 - forward) * (t->left - left) + (is_first ? forward : size);

	t->left = is_first ? 1 : left;
	return weight;
}

/* ---- one object ---- */

/* How many bytes an object of this size (in units of a TLAB) stands for.  is_first: it was the first in its
 * TLAB. */
static double alloc_weight_stands_for(struct alloc_weights *w, struct thread *t, double size, bool is_first)
{
	double limit = t->limit / t->tlab > SMALLEST ? t->limit / t->tlab : SMALLEST;
	int bin = bin_of(size, limit);
	const struct mix *m;
	double bursts, part, forward;

	if (is_first) {
		count_outside(t->mix, t->outside);
		count_outside(&w->all, t->outside);
	}
	t->outside = is_first ? 0 : t->outside + 1;
	alloc_weight_count(t->mix, limit, bin, size, is_first);
	alloc_weight_count(&w->all, limit, bin, size, is_first);
	m = t->mix->events < OWN_EVENTS ? &w->all : t->mix;
	bursts = burstiness(m);
	part = ramp(bursts, SOME_BURSTS, SHORT_BURSTS);
	forward = ramp(bursts, SHORT_BURSTS, LONG_BURSTS) / 2;
	return t->tlab * (part * weight_in_burst(t, size, limit, is_first, forward) +
			  (1 - part) * weight_at_random(m, size, bin, is_first));
}

static void count_kind(struct alloc_weights *w, uint64_t size)
{
	for (size_t i = 0; i < KINDS; i++) {
		if (!w->kinds[i].begun)
			w->kinds[i].size = size;
		if (w->kinds[i].size == size) {
			w->kinds[i].begun++;
			return;
		}
	}
}

static void compare_begin(struct alloc_weights *w, struct thread *t, uint64_t size)
{
	if (t->begun)
		count_kind(w, size);
	for (uint64_t i = 0; i < CYCLE && i < t->begun; i++) {
		w->begun[i]++;
		w->begun_alike[i] += t->began[(t->begun - 1 - i) % CYCLE] == size;
	}
	t->began[t->begun++ % CYCLE] = size;
}

bool alloc_weights_are_in_step(const struct alloc_weights *w)
{
	enum { ENOUGH = 30 };

	return w->begun[0] >= ENOUGH && w->begun_alike[0] * 10 >= w->begun[0] * 9;
}

bool alloc_weights_are_in_order(const struct alloc_weights *w)
{
	enum { ENOUGH = 100, DEVIATIONS = 6 };
	double all = (double)w->begun[0], by_chance = 0;

	for (size_t i = 0; i < KINDS && all > 0; i++)
		by_chance += (double)w->kinds[i].begun / all * ((double)w->kinds[i].begun / all);
	for (size_t i = 0; i < CYCLE; i++) {
		double n = (double)w->begun[i], alike = n > 0 ? (double)w->begun_alike[i] / n : 0;

		if (n >= ENOUGH && alike > (i ? CYCLIC : 0.5) &&
		    alike - by_chance > DEVIATIONS * sqrt(by_chance * (1 - by_chance) / n))
			return true;
	}
	return false;
}

bool alloc_weights_have_bursts(const struct alloc_weights *w)
{
	return burstiness(&w->all) > SOME_BURSTS;
}

struct alloc_weight alloc_weigh(struct alloc_weights *w, int tid, uint64_t size, uint64_t tlab, uint64_t limit)
{
	struct thread *t = alloc_weight_find_thread(w, tid);
	double bytes = (double)size;
	bool is_first;

	if (t->tlab == 0 && t->is_old && tlab > size) {
		t->tlab = (double)(tlab - size); /* the thread had a TLAB before; assume that it had the same
						  * size */
		t->left = 1;
	}
	is_first = tlab > 0 || (t->tlab > 0 && (double)size <= t->limit);
	if (t->tlab > bytes && !t->has_ended)
		bytes = alloc_weight_stands_for(w, t, bytes / t->tlab, is_first);
	t->has_ended = is_first && !tlab;
	/* The JVM adds the object's size to the desired size of the TLAB (compute_size()). */
	if (tlab > size) {
		compare_begin(w, t, size);
		t->left = 1;
		t->tlab = (double)(tlab - size);
		t->limit = (double)limit;
	}
	if (bytes < (double)size)
		bytes = (double)size;
	return (struct alloc_weight){ (uint64_t)(bytes + 0.5), (uint64_t)(bytes / (double)size + 0.5) };
}
