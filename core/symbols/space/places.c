#include "core/symbols/space/places.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/memory.h"
#include "core/sorted.h"

enum { MAX_THREADS = 8 };

/* --- finding the place of an address ----------------------------------------- */

static uint32_t places_add_place(struct places *p, uint32_t module, uint64_t address)
{
	uint32_t *number = map_at(&p->by_address, address, module);

	if (!*number) {
		p->items = xgrow(p->items, &p->cap, p->count + 1, sizeof(*p->items));
		p->items[p->count] = (struct place){ .address = address, .module = module };
		*number = (uint32_t)++p->count;
	}
	return *number - 1;
}

static uint32_t add_nowhere(struct places *p, uint64_t address)
{
	if (!p->nowhere_is_one)
		return places_add_place(p, PLACE_NO_MODULE, address);
	if (!p->nowhere)
		p->nowhere = places_add_place(p, PLACE_NO_MODULE, 0) + 1;
	return p->nowhere - 1;
}

static uint32_t places_locate(struct places *p, struct space *space, uint64_t address, uint64_t time_ns)
{
	const struct mapping *m;

	if (!space)
		return places_add_place(p, MODULE_KERNEL_ID, address);
	m = space_lookup(space, address, time_ns);
	if (!m)
		return add_nowhere(p, address);
	return places_add_place(p, m->module, address - m->start + m->offset);
}

uint32_t places_add(struct places *p, struct space *space, uint32_t context, uint64_t address, uint64_t time_ns)
{
	uint32_t known = map_get(&p->cache, address, context), number;

	if (known)
		return known - 1;
	if (space && p->nowhere_is_one && p->spaces && !spaces_reach(p->spaces, address))
		return add_nowhere(p, address); /* such a place is not kept, since there are many, and each is seen
						 * once */
	number = places_locate(p, space, address, time_ns);
	*map_at(&p->cache, address, context) = number + 1;
	return number;
}

/* --- naming them -------------------------------------------------------------- */

struct job {
	const struct module *module;
	struct place *wanted; /* a sorted copy */
	size_t count;
	struct arena names;
};

struct work {
	struct job *jobs;
	size_t count;
	atomic_size_t next;
	places_source *source;
	void *argument;
};

static void *run_jobs(void *argument)
{
	struct work *work = argument;
	size_t i;

	while ((i = atomic_fetch_add(&work->next, 1)) < work->count) {
		struct job *job = &work->jobs[i];

		work->source(job->module, job->wanted, job->count, &job->names, work->argument);
	}
	return NULL;
}

static void run_on_all_cpus(struct work *work)
{
	pthread_t threads[MAX_THREADS];
	long cpus = sysconf(_SC_NPROCESSORS_ONLN);
	int started = 0;

	while (started + 1 < cpus && started + 1 < MAX_THREADS && (size_t)started + 1 < work->count &&
	       !pthread_create(&threads[started], NULL, run_jobs, work))
		started++;
	run_jobs(work);
	while (started)
		pthread_join(threads[--started], NULL);
}

/* The sort key of a place, and its index. */
struct numbered {
	uint64_t address;
	uint32_t module, number;
};

static int by_module_and_address(const void *a, const void *b)
{
	const struct numbered *x = a, *y = b;

	return ORDER(x->module, y->module) ?: ORDER(x->address, y->address);
}

static int places_by_count(const void *a, const void *b)
{
	const struct job *x = a, *y = b;

	return x->count > y->count ? -1 : x->count < y->count;
}

/* Make one job for each run of places in the same module.  Returns the number of jobs. */
static size_t make_jobs(struct job *jobs, struct place *sorted, size_t count, const struct modules *modules)
{
	size_t n = 0;

	for (size_t i = 0, end; i < count; i = end) {
		for (end = i; end < count && sorted[end].module == sorted[i].module; end++)
			;
		if (sorted[i].module < modules->count)
			jobs[n++] = (struct job){ .module = &modules->items[sorted[i].module],
						  .wanted = sorted + i,
						  .count = end - i };
	}
	return n;
}

void places_resolve(struct places *p, const struct modules *modules, places_source *source, void *argument)
{
	struct numbered *order = xmalloc(p->count * sizeof(*order));
	struct place *sorted = xmalloc(p->count * sizeof(*sorted));
	struct work work = { .jobs = xcalloc(modules->count + 1, sizeof(*work.jobs)),
			     .source = source,
			     .argument = argument };

	for (size_t i = 0; i < p->count; i++)
		order[i] = (struct numbered){ p->items[i].address, p->items[i].module, (uint32_t)i };
	if (p->count)
		qsort(order, p->count, sizeof(*order), by_module_and_address);
	for (size_t i = 0; i < p->count; i++)
		sorted[i] = p->items[order[i].number];
	work.count = make_jobs(work.jobs, sorted, p->count, modules);
	if (work.count)
		qsort(work.jobs, work.count, sizeof(*work.jobs), places_by_count);
	run_on_all_cpus(&work);

	for (size_t i = 0; i < p->count; i++) {
		struct place *place = &p->items[order[i].number];

		*place = sorted[i];
		if (place->module >= modules->count)
			place->why = WHY_UNMAPPED;
	}
	for (size_t i = 0; i < work.count; i++)
		arena_take(&p->names, &work.jobs[i].names);
	free(work.jobs);
	free(sorted);
	free(order);
}

void places_free(struct places *p)
{
	if (!p)
		return;
	free(p->items);
	map_free(&p->by_address);
	map_free(&p->cache);
	arena_free(&p->names);
	*p = (struct places){ 0 };
}
