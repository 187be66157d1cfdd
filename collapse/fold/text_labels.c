#include "collapse/fold/text_labels.h"

#include <stdlib.h>
#include <string.h>

#include "collapse/roots/root.h"
#include "core/error.h"
#include "core/format/samples.h"
#include "core/memory.h"
#include "core/nearest.h"

static const char unknown[] = "[unknown]";

static uint32_t merged_name(struct all_labels *a, const struct text_stacks *s, uint32_t name)
{
	return name == TEXT_NO_NAME ? name
				    : intern_add(&a->names, intern_text(&s->texts, name), intern_len(&s->texts, name));
}

static uint32_t merge_one(struct all_labels *a, const struct text_stacks *s, uint32_t number)
{
	const struct text_seen *seen = &s->label_seen[number];
	struct text_labels labels;
	struct merged_labels *m;
	size_t before = a->known.count;
	uint32_t at;

	memcpy(&labels, intern_text(&s->labels, number), sizeof(labels));
	if (labels.tid < 0 && labels.pid >= 0 && labels.comm != TEXT_NO_NAME)
		labels.tid =
			text_thread_number(intern_text(&s->texts, labels.comm), intern_len(&s->texts, labels.comm));
	labels.comm = merged_name(a, s, labels.comm);
	labels.event = merged_name(a, s, labels.event);
	labels.unit = merged_name(a, s, labels.unit);
	labels.state = merged_name(a, s, labels.state);
	labels.given = merged_name(a, s, labels.given);
	for (int i = 0; i < TEXT_OWNERS; i++)
		labels.owner[i] = merged_name(a, s, labels.owner[i]);
	at = intern_add(&a->known, (const char *)&labels, sizeof(labels));
	a->items = xgrow(a->items, &a->cap, at + 1, sizeof(*a->items));
	m = &a->items[at];
	if (a->known.count > before)
		*m = (struct merged_labels){ .labels = labels, .seen = *seen, .wanted = true };
	if (seen->first < m->seen.first)
		m->seen.first = seen->first;
	if (seen->last > m->seen.last)
		m->seen.last = seen->last;
	return at;
}

static void text_labels_merge(struct all_labels *a, const struct text_parsed *p)
{
	a->shard_count = p->count;
	a->of_shard = xcalloc(p->count, sizeof(*a->of_shard));
	for (size_t i = 0; i < p->count; i++) {
		const struct text_stacks *s = &p->shards[i];

		a->of_shard[i] = xmalloc(s->labels.count * sizeof(**a->of_shard));
		for (uint32_t n = 0; n < s->labels.count; n++)
			a->of_shard[i][n] = merge_one(a, s, n);
	}
}

bool text_has_comms(const struct text_parsed *p)
{
	struct text_labels labels;

	for (size_t i = 0; i < p->count; i++) {
		for (uint32_t n = 0; n < p->shards[i].labels.count; n++) {
			memcpy(&labels, intern_text(&p->shards[i].labels, n), sizeof(labels));
			if (labels.comm != TEXT_NO_NAME && p->shards[i].label_seen[n].first != UINT64_MAX)
				return true;
		}
	}
	return false;
}

/* --- events ------------------------------------------------------------------------- */

/* The first event in the list "a,b" that has samples; TEXT_NO_NAME: none of them has any. */
static uint32_t preferred_event(const struct all_labels *a, const char *list)
{
	while (list && *list) {
		size_t len = strcspn(list, ",");
		uint32_t name = intern_find(&a->names, list, len);

		for (size_t i = 0; name != UINT32_MAX && i < a->known.count; i++) {
			if (a->items[i].labels.event == name)
				return name;
		}
		list += len + (list[len] == ',');
	}
	return TEXT_NO_NAME;
}

/* Does asked, "cycles", mean the event called name, "cycles:ppp"?  Modifiers may follow the colon, but not the name of
 * a tracepoint. */
static bool text_labels_is_event(const char *name, const char *asked)
{
	size_t len = strlen(asked);

	return !strncmp(name, asked, len) &&
	       (!name[len] ||
		(name[len] == ':' && strspn(name + len + 1, "ukhGHpPSDIeWbR:") == strlen(name + len + 1)));
}

static uint32_t text_labels_find_event(const struct all_labels *a, const char *asked)
{
	uint32_t exact = intern_find(&a->names, asked, strlen(asked));

	for (size_t i = 0; i < a->known.count; i++) {
		uint32_t event = a->items[i].labels.event;

		if (event == exact && exact != UINT32_MAX)
			return exact;
	}
	for (size_t i = 0; i < a->known.count; i++) {
		uint32_t event = a->items[i].labels.event;

		if (event != TEXT_NO_NAME && text_labels_is_event(intern_text(&a->names, event), asked))
			return event;
	}
	return TEXT_NO_NAME;
}

/* Report the unused events in one line. */
static void text_labels_tell_of_others(const struct all_labels *a, const struct merged_labels *const *order,
				       uint32_t used)
{
	bool *told = xcalloc(a->names.count, sizeof(*told)); /* by name */
	struct str others = { 0 };

	told[used] = true;
	for (size_t i = 0; i < a->known.count; i++) {
		uint32_t event = order[i]->labels.event;

		if (event == TEXT_NO_NAME || told[event])
			continue;
		told[event] = true;
		str_addf(&others, "%s%s", others.len ? ", " : "", intern_text(&a->names, event));
	}
	if (others.len)
		inform("using event %s; also available: %s (--event NAME, or all)", intern_text(&a->names, used),
		       others.buf);
	free(told);
	str_free(&others);
}

/* The event whose samples are used; TEXT_NO_NAME: samples of all events are. */
static uint32_t text_labels_choose_event(const struct all_labels *a, const struct text_request *r)
{
	uint64_t first = UINT64_MAX;
	uint32_t event = TEXT_NO_NAME;

	if (r->event && !strcmp(r->event, "all"))
		return TEXT_NO_NAME;
	if (r->event) {
		event = text_labels_find_event(a, r->event);
		if (event == TEXT_NO_NAME)
			die_usage("--event: %s has no event '%s'", r->data->path, r->event);
		return event;
	}
	if (roots_has(r->roots, "event"))
		return TEXT_NO_NAME;
	event = preferred_event(a, r->events);
	if (event != TEXT_NO_NAME)
		return event;
	for (size_t i = 0; i < a->known.count; i++) {
		if (a->items[i].labels.event != TEXT_NO_NAME && a->items[i].seen.first < first) {
			first = a->items[i].seen.first;
			event = a->items[i].labels.event;
		}
	}
	return event;
}

/* The name of an event, valid until the next call; "[unknown]" for TEXT_NO_NAME. */
static struct recorded_event *event_of(struct all_labels *a, struct perfdata *d, uint32_t name)
{
	uint32_t *place = map_at(&a->event_places, name, 0);

	if (!*place) {
		d->events = xgrow(d->events, &d->event_cap, d->event_count + 1, sizeof(*d->events));
		d->events[d->event_count++] = (struct recorded_event){
			.name = xstrdup(name == TEXT_NO_NAME ? unknown : intern_text(&a->names, name)),
		};
		*place = (uint32_t)d->event_count;
	}
	return &d->events[*place - 1];
}

/* --- states ------------------------------------------------------------------------- */

enum { STATES_TOLD = 32 }; /* names of states that an error lists */

static bool text_labels_is_state(const struct all_labels *a, uint32_t name, const char *word, size_t len)
{
	return intern_len(&a->names, name) == len && !strncasecmp(intern_text(&a->names, name), word, len);
}

/* If the word is the state of some labels, marks that state and returns true. */
static bool mark_state(struct all_labels *a, const char *word, size_t len)
{
	bool found = false;

	for (size_t i = 0; i < a->known.count; i++) {
		uint32_t name = a->items[i].labels.state;

		if (name != TEXT_NO_NAME && text_labels_is_state(a, name, word, len))
			found = a->state_wanted[name] = true;
	}
	return found;
}

static void die_of_state(const struct all_labels *a, const char *word, size_t len)
{
	const char *known[STATES_TOLD];
	size_t count = 0;

	known[count++] = "all";
	for (size_t i = 0; i < a->known.count && count < STATES_TOLD; i++) {
		const char *name = a->items[i].labels.state == TEXT_NO_NAME
					   ? NULL
					   : intern_text(&a->names, a->items[i].labels.state);
		size_t before = 0;

		while (name && before < count && strcmp(known[before], name) != 0)
			before++;
		if (name && before == count)
			known[count++] = name;
	}
	nearest_die("--state", xstrndup(word, len), known, count);
}

/* Mark the states in the list.  Each word given must be a state that occurs. */
static void choose_states(struct all_labels *a, const struct text_request *r)
{
	const char *list = r->states;

	if (!list || !strcmp(list, "all"))
		return;
	a->state_wanted = xcalloc(a->names.count + 1, sizeof(*a->state_wanted));
	while (*list) {
		size_t len = strcspn(list, ",");

		if (!mark_state(a, list, len) && r->states_given)
			die_of_state(a, list, len);
		list += len + (list[len] == ',');
	}
}

/* Samples without a state are wanted whatever the list says. */
static bool state_is_wanted(const struct all_labels *a, uint32_t state)
{
	return !a->state_wanted || state == TEXT_NO_NAME || a->state_wanted[state];
}

static const char *unit_text(const struct all_labels *a, uint32_t unit)
{
	return unit == TEXT_NO_NAME ? "samples" : intern_text(&a->names, unit);
}

/* The unit that all wanted labels have in common; or two of their units, which cannot be added up. */
static void find_unit(const struct all_labels *a, struct text_request *r)
{
	uint32_t common = TEXT_NO_NAME, unit;
	bool any = false;

	for (size_t i = 0; i < a->known.count; i++) {
		unit = a->items[i].labels.unit;
		if (!a->items[i].wanted || a->items[i].seen.first == UINT64_MAX)
			continue;
		if (any && unit != common) {
			str_addf(&r->units, "%s, %s", unit_text(a, common), unit_text(a, unit));
			return;
		}
		common = unit;
		any = true;
	}
	if (common != TEXT_NO_NAME)
		str_puts(&r->unit, intern_text(&a->names, common));
}

/* --- roots -------------------------------------------------------------------------- */

static int by_last(const void *x, const void *y)
{
	const struct merged_labels *a = *(const struct merged_labels *const *)x;
	const struct merged_labels *b = *(const struct merged_labels *const *)y;

	return a->seen.last < b->seen.last ? -1 : a->seen.last > b->seen.last;
}

/* All labels, ordered by their last sample.  Threads can change their names, so the position in this order serves as
 * the time of the labels. */
static const struct merged_labels *const *text_labels_order_of(const struct all_labels *a)
{
	const struct merged_labels **order = xmalloc(a->known.count * sizeof(*order));

	for (size_t i = 0; i < a->known.count; i++)
		order[i] = &a->items[i];
	if (a->known.count)
		qsort(order, a->known.count, sizeof(*order), by_last);
	return order;
}

static void name_threads(const struct all_labels *a, const struct merged_labels *const *order, struct comms *comms)
{
	for (size_t i = 0; i < a->known.count; i++) {
		const struct text_labels *l = &order[i]->labels;
		bool named = l->comm != TEXT_NO_NAME;

		comms_set(comms, l->pid, l->tid, i, named ? intern_text(&a->names, l->comm) : unknown,
			  named ? intern_len(&a->names, l->comm) : strlen(unknown));
	}
}

static void take_owner_text(const struct all_labels *a, uint32_t name, struct owner_text *text)
{
	if (name != TEXT_NO_NAME)
		*text = (struct owner_text){ intern_text(&a->names, name), intern_len(&a->names, name) };
}

/* Whose the labels are, in *group, until the next name is added; NULL: they do not say. */
static const struct owner_group *owner_of_labels(const struct all_labels *a, const struct text_labels *l,
						 struct owner_group *group)
{
	*group = (struct owner_group){ 0 };
	take_owner_text(a, l->owner[TEXT_CGROUP], &group->path);
	take_owner_text(a, l->owner[TEXT_CONTAINER_ID], &group->container_id);
	take_owner_text(a, l->owner[TEXT_CONTAINER], &group->container);
	take_owner_text(a, l->owner[TEXT_POD_UID], &group->pod_uid);
	take_owner_text(a, l->owner[TEXT_POD], &group->pod);
	take_owner_text(a, l->owner[TEXT_NAMESPACE], &group->space);
	group->in_container = group->container_id.len || group->container.len;
	group->in_pod = group->pod_uid.len || group->pod.len;
	return group->in_container || group->in_pod || group->path.len || group->space.len ? group : NULL;
}

static struct recorded_sample sample_of(struct all_labels *a, const struct text_request *r, const struct text_labels *l,
					uint64_t time)
{
	return (struct recorded_sample){
		.event = event_of(a, r->data, l->event),
		.pid = l->pid,
		.tid = l->tid,
		.cpu = l->cpu,
		.time_ns = time,
		.state = -1,
		.by = -1,
		.state_word = l->state == TEXT_NO_NAME ? NULL : intern_text(&a->names, l->state),
	};
}

/* The root frames of root name in "comm=java<TAB>cpu=cpu1"; NULL: it has no such root. */
static const char *given_frames(const char *given, size_t given_len, const char *name, size_t *len)
{
	const char *end = given + given_len;
	size_t n = strlen(name);

	for (const char *at = given; at < end;) {
		const char *tab = memchr(at, SAMPLES_BETWEEN_LABELS, (size_t)(end - at)), *stop = tab ? tab : end;

		if ((size_t)(stop - at) > n && at[n] == '=' && !memcmp(at, name, n)) {
			*len = (size_t)(stop - at) - n - 1;
			return at + n + 1;
		}
		at = stop + 1;
	}
	return NULL;
}

/* The root frames that the input itself gives for these labels. */
static uint32_t given_root(const struct all_labels *a, const struct text_request *r, const struct text_labels *l,
			   struct intern *texts, uint8_t frames[ROOTS_MAX])
{
	struct str text = { 0 };
	uint32_t number;
	size_t len;

	memset(frames, 0, ROOTS_MAX);
	for (size_t i = 0; i < r->roots->count; i++) {
		const char *value = given_frames(intern_text(&a->names, l->given), intern_len(&a->names, l->given),
						 r->roots->chosen[i]->name, &len);

		if (!value)
			continue;
		frames[i] = 1;
		for (size_t n = 0; n < len; n++)
			frames[i] += value[n] == ';';
		str_add(&text, value, len);
		str_addc(&text, ';');
	}
	number = intern_add(texts, str_text(&text), text.len);
	str_free(&text);
	return number;
}

static uint32_t root_of(struct all_labels *a, const struct text_request *r, const struct text_labels *l, uint64_t time,
			struct intern *texts, uint8_t frames[ROOTS_MAX])
{
	struct recorded_sample sample = sample_of(a, r, l, time);
	uint32_t words[ROOT_WORDS_MAX], number;
	struct owner_group owner;
	struct str text = { 0 };

	sample.owner = owner_of_labels(a, l, &owner);
	if (l->given != TEXT_NO_NAME)
		return given_root(a, r, l, texts, frames);
	roots_key(r->roots, &sample, words);
	memset(frames, 0, ROOTS_MAX);
	if (!r->default_roots || l->comm != TEXT_NO_NAME)
		roots_write(r->roots, words, &text, frames);
	number = intern_add(texts, str_text(&text), text.len);
	str_free(&text);
	return number;
}

/* Threads without numbers are told apart only by their names. */
static bool thread_of_labels_is_wanted(const struct all_labels *a, const struct text_request *r,
				       const struct text_labels *l, uint64_t time)
{
	const struct regexp *wanted = r->sideband->thread_names.wanted;

	if (l->tid >= 0 || !wanted)
		return thread_is_wanted(&r->sideband->thread_names, &r->sideband->comms, l->pid, l->tid, time);
	return l->comm == TEXT_NO_NAME
		       ? regexp_match(wanted, unknown, strlen(unknown))
		       : regexp_match(wanted, intern_text(&a->names, l->comm), intern_len(&a->names, l->comm));
}

static bool owner_of_labels_is_wanted(const struct all_labels *a, const struct text_request *r,
				      const struct text_labels *l)
{
	struct owner_group owner;

	return owned_group_is_wanted(&r->sideband->owned, owner_of_labels(a, l, &owner));
}

/* The shown name of a thread depends on which other threads there are (--pool), so make all keys before the first
 * name. */
static void text_labels_find_keys(struct all_labels *a, const struct text_request *r,
				  const struct merged_labels *const *order)
{
	uint32_t words[ROOT_WORDS_MAX];

	for (size_t i = 0; i < a->known.count; i++) {
		struct recorded_sample sample;

		if (!order[i]->wanted)
			continue;
		sample = sample_of(a, r, &order[i]->labels, i);
		roots_key(r->roots, &sample, words);
	}
}

void all_labels_make(struct all_labels *a, const struct text_parsed *p, struct text_request *request,
		     struct intern *texts)
{
	struct sideband *sideband = request->sideband;
	const struct merged_labels *const *order;
	uint32_t event;

	text_labels_merge(a, p);
	order = text_labels_order_of(a);
	event = a->event = text_labels_choose_event(a, request);
	if (event != TEXT_NO_NAME && !request->event)
		text_labels_tell_of_others(a, order, event);
	choose_states(a, request);
	name_threads(a, order, &sideband->comms);
	for (size_t i = 0; i < a->known.count; i++) {
		struct merged_labels *m = &a->items[order[i] - a->items];

		m->wanted = (event == TEXT_NO_NAME || m->labels.event == event) &&
			    state_is_wanted(a, m->labels.state) && owner_of_labels_is_wanted(a, request, &m->labels) &&
			    thread_of_labels_is_wanted(a, request, &m->labels, i);
	}
	text_labels_find_keys(a, request, order);
	for (size_t i = 0; i < a->known.count; i++) {
		struct merged_labels *m = &a->items[order[i] - a->items];

		if (m->wanted)
			m->root = root_of(a, request, &m->labels, i, texts, m->root_frames);
	}
	find_unit(a, request);
	free((void *)order);
}

void all_labels_free(struct all_labels *a)
{
	for (size_t i = 0; i < a->shard_count; i++)
		free(a->of_shard[i]);
	free(a->of_shard);
	free(a->items);
	free(a->state_wanted);
	intern_free(&a->names);
	intern_free(&a->known);
	map_free(&a->event_places);
	*a = (struct all_labels){ 0 };
}
