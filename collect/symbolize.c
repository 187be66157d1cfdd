#include "collect/symbolize.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "collect/code_section.h"
#include "collect/features.h"
#include "collect/losses.h"
#include "collect/recording.h"
#include "collect/spans.h"
#include "core/error.h"
#include "core/memory.h"
#include "core/symbols/chain.h"
#include "core/symbols/changes.h"
#include "core/symbols/elf_file.h"
#include "core/symbols/live.h"
#include "core/symbols/starts.h"

/* Of struct perf_file_header: where the data section begins, and its size. */
enum { AT_DATA_OFFSET = 40, AT_DATA_SIZE = 48 };

/* kernel.perf_event_max_stack when the event does not say otherwise. */
enum { MAX_STACK = 127 };

struct hits {
	uint64_t all;
	uint64_t outermost[3]; /* ... as the end of a stack of one, of two user frames */
};

struct symbolizer {
	const uint8_t *bytes; /* the file, mapped */
	size_t size, data, data_end;
	struct modules modules;
	struct spaces spaces;
	struct places places;
	struct hits *hits;    /* by place: how often it was seen */
	size_t hits_cap;
	uint64_t *losses;
	uint64_t user_stacks;
};

static int map_recording(struct symbolizer *s, const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC), status = 0;
	uint64_t offset, size;
	struct stat st;

	if (fd < 0 || fstat(fd, &st)) {
		status = error("%s: %s", path, strerror(errno));
		goto out;
	}
	s->size = (size_t)st.st_size;
	s->bytes = mmap(NULL, s->size, PROT_READ, MAP_PRIVATE, fd, 0);
	if (s->bytes == MAP_FAILED) {
		s->bytes = NULL;
		status = error("%s: %s", path, strerror(errno));
		goto out;
	}
	memcpy(&offset, s->bytes + AT_DATA_OFFSET, 8);
	memcpy(&size, s->bytes + AT_DATA_SIZE, 8);
	s->data = offset;
	s->data_end = offset + size <= s->size ? offset + size : s->size;
out:
	if (fd >= 0)
		close(fd);
	return status;
}

/* The next record at *at, or NULL at the end. */
static const uint8_t *next_record(const struct symbolizer *s, size_t *at,
				  struct perf_event_header *header)
{
	const uint8_t *record = s->bytes + *at;

	if (s->data_end - *at < sizeof(*header))
		return NULL;
	memcpy(header, record, sizeof(*header));
	if (header->size < sizeof(*header) || header->size > s->data_end - *at)
		return NULL;
	*at += header->size;
	return record;
}

static uint64_t record_time(const uint8_t *record, size_t size)
{
	struct recording_trailer trailer = {0};

	if (size >= sizeof(struct perf_event_header) + sizeof(trailer))
		memcpy(&trailer, record + size - sizeof(trailer), sizeof(trailer));
	return trailer.time_ns;
}

static void read_changes(struct symbolizer *s)
{
	struct perf_event_header header;
	struct changes changes = {0};
	const uint8_t *record;
	struct mmap_record m;
	size_t at = s->data;

	while ((record = next_record(s, &at, &header))) {
		if (is_change(header.type))
			changes_add(&changes, record, record_time(record, header.size));
	}
	changes_sort(&changes);
	for (size_t i = 0; i < changes.count; i++) {
		const struct change *change = &changes.items[i];

		memcpy(&header, change->record, sizeof(header));
		if (header.type != PERF_RECORD_MMAP && header.type != PERF_RECORD_MMAP2)
			change_process(&s->spaces, change);
		else if (mmap_record_read(change->record, true, &m))
			change_map(&s->spaces, &s->modules, &m, change->time_ns);
	}
	changes_free(&changes);
}

static struct hits *hits_of(struct symbolizer *s, uint32_t place)
{
	size_t before = s->hits_cap;

	s->hits = xgrow(s->hits, &s->hits_cap, place + 1, sizeof(*s->hits));
	memset(s->hits + before, 0, (s->hits_cap - before) * sizeof(*s->hits));
	return &s->hits[place];
}

/* The stack of process pid that comes next in the chain; alone: only the address where it was. */
static void add_stack(struct symbolizer *s, struct chain *chain, int pid, uint64_t time_ns, bool alone)
{
	struct space *space = spaces_find(&s->spaces, pid, time_ns);
	uint32_t context = space_context(&s->spaces, space, time_ns), place = 0;
	uint64_t address, depth = 0, user_depth = 0;

	while (chain_next(chain, &address)) {
		place = places_add(&s->places, chain->kernel ? NULL : space,
				   chain->kernel ? 0 : context, address, time_ns);
		hits_of(s, place)->all++;
		depth++;
		user_depth += !chain->kernel;
	}
	s->user_stacks += user_depth && !alone;
	if ((user_depth == 1 || user_depth == 2) && !alone)
		hits_of(s, place)->outermost[user_depth]++;
	s->losses[LOSS_total_frames] += depth;
	s->losses[LOSS_truncated_stacks] += depth >= MAX_STACK;
}

static void add_sample(struct symbolizer *s, const struct recording_sample *sample,
		       const uint8_t *entries)
{
	bool alone = !sample->chain_count;
	struct chain chain = alone ? chain_of(&sample->ip, 1, (int64_t)sample->ip < 0) :
				     chain_of(entries, sample->chain_count, false);
	uint64_t label;

	chain.labelled = sample->id >= SPANS_FIRST_ID;
	add_stack(s, &chain, (int)sample->pid, sample->time_ns, alone);
	while (chain_hop(&chain, &label))
		add_stack(s, &chain, chain_waker_pid(label), sample->time_ns, false);
	s->losses[LOSS_total_samples]++;
}

static void read_samples(struct symbolizer *s)
{
	struct perf_event_header header;
	struct recording_sample sample;
	const uint8_t *record;
	size_t at = s->data;

	while ((record = next_record(s, &at, &header))) {
		const uint8_t *body = record + sizeof(header);
		size_t len = header.size - sizeof(header);

		if (header.type != PERF_RECORD_SAMPLE || len < sizeof(sample))
			continue;
		memcpy(&sample, body, sizeof(sample));
		if (sample.chain_count <= (len - sizeof(sample)) / 8)
			add_sample(s, &sample, body + sizeof(sample));
	}
}

/* --- writing the section ------------------------------------------------------------ */

static int by_module_and_symbol(const void *a, const void *b, void *places)
{
	const struct place *items = places;
	const struct place *x = &items[*(const uint32_t *)a], *y = &items[*(const uint32_t *)b];

	if (x->module != y->module)
		return x->module < y->module ? -1 : 1;
	if (x->start != y->start)
		return x->start < y->start ? -1 : 1;
	return x->address < y->address ? -1 : x->address > y->address;
}

/* Names are text in a section of lines. */
static void add_line_text(struct str *out, const char *text)
{
	size_t start = out->len;

	str_puts(out, text);
	for (size_t i = start; i < out->len; i++)
		out->buf[i] = out->buf[i] == '\n' ? '?' : out->buf[i];
	str_addc(out, '\n');
}

static void add_module(struct str *out, const struct module *m)
{
	static const char *const kinds[] = { "kernel", "elf", "vdso", "jit" };

	str_addf(out, "module %s %s ", kinds[m->kind], m->id);
	add_line_text(out, m->path);
}

/* A symbol that reaches to the next one gets the size that covers what was seen:
 * the next one may not be in the section. */
static void add_symbol(struct str *out, const struct place *first, const struct place *last)
{
	uint64_t size = first->size ? first->size : last->address - first->start + 1;

	str_addf(out, "%llx %llx ", (unsigned long long)first->start, (unsigned long long)size);
	add_line_text(out, first->name);
}

static void write_section(const struct symbolizer *s, struct str *out)
{
	const struct places *p = &s->places;
	uint32_t *order = xmalloc(p->count * sizeof(*order)), module = PLACE_NO_MODULE;
	size_t named = 0;

	for (uint32_t i = 0; i < p->count; i++) {
		if (p->items[i].name)
			order[named++] = i;
	}
	if (named)
		qsort_r(order, named, sizeof(*order), by_module_and_symbol, p->items);
	for (size_t i = 0, end; i < named; i = end) {
		const struct place *first = &p->items[order[i]], *last = first;

		for (end = i; end < named; end++) {
			const struct place *next = &p->items[order[end]];

			if (next->module != first->module || next->start != first->start)
				break;
			last = next;
		}
		if (first->module != module)
			add_module(out, &s->modules.items[first->module]);
		module = first->module;
		add_symbol(out, first, last);
	}
	free(order);
}

/* Entries for the files that samples fell into. */
static void list_build_ids(const struct symbolizer *s, struct str *out)
{
	bool *seen = xcalloc(s->modules.count, sizeof(*seen));
	uint8_t id[BUILD_ID_MAX];

	for (size_t i = 0; i < s->places.count; i++) {
		uint32_t number = s->places.items[i].module;
		const struct module *m;
		size_t len;

		if (number >= s->modules.count || seen[number])
			continue;
		seen[number] = true;
		m = &s->modules.items[number];
		len = m->kind == MODULE_ELF ? elf_module_build_id(m, id) : 0;
		if (len)
			build_id_entry(out, PERF_RECORD_MISC_USER, m->pid, id, len, m->path);
	}
	free(seen);
}

/* What only the names can tell. */
static void judge_places(const struct symbolizer *s)
{
	for (size_t i = 0; i < s->places.count; i++) {
		const struct place *p = &s->places.items[i];
		const struct module *module =
			p->module < s->modules.count ? &s->modules.items[p->module] : NULL;

		if (!p->name)
			s->losses[LOSS_unresolved_frames] += s->hits[i].all;
		for (size_t depth = 1; depth <= 2; depth++) {
			if (stack_is_short(depth, p->name, module))
				s->losses[LOSS_short_stacks] += s->hits[i].outermost[depth];
		}
	}
}

int symbolize(const char *path, struct jit_files *jit, struct str *section,
	      struct str *code, struct str *build_ids, uint64_t losses[], uint64_t *user_stacks)
{
	struct symbolizer s = { .losses = losses };
	struct live live = { .quiet = true, .jit = jit };
	int status = -1;

	live_start(&live);
	modules_init(&s.modules);
	if (map_recording(&s, path) < 0)
		goto out;
	read_changes(&s);
	jit_files_place(jit, &s.spaces, &s.modules);
	read_samples(&s);
	places_resolve(&s.places, &s.modules, live_source, &live);
	judge_places(&s);
	*user_stacks = s.user_stacks;
	list_build_ids(&s, build_ids);
	write_section(&s, section);
	code_section_write(jit, &s.spaces, &s.places, &s.modules, code);
	if (!section->len) /* the section says that nothing else is to be asked */
		str_puts(section, "module kernel - [kernel.kallsyms]\n");
	status = 0;
out:
	live_free(&live);
	free(s.hits);
	places_free(&s.places);
	spaces_free(&s.spaces);
	modules_free(&s.modules);
	if (s.bytes)
		munmap((void *)s.bytes, s.size);
	return status;
}
