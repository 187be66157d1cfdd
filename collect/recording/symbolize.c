#include "collect/recording/symbolize.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "collect/recording/features.h"
#include "collect/recording/records.h"
#include "collect/recording/spans.h"
#include "collect/recording/symbol_section.h"
#include "core/error.h"
#include "core/format/chain.h"
#include "core/memory.h"
#include "core/sorted.h"
#include "core/str.h"
#include "core/symbols/elf/elf_file.h"
#include "core/symbols/jit/jit_files.h"
#include "core/symbols/live.h"
#include "core/symbols/space/places.h"
#include "core/symbols/space/runtime.h"

/* --- the section RECORDING_CODE (core/format/recording.h) --- */

/* The addresses that were seen in a module, sorted.  Returns their number. */
static size_t seen_in(const struct places *places, uint32_t module, uint64_t *addresses)
{
	size_t count = 0;

	for (size_t i = 0; i < places->count; i++) {
		if (places->items[i].module == module)
			addresses[count++] = places->items[i].address;
	}
	if (count)
		qsort(addresses, count, sizeof(*addresses), by_u64);
	return count;
}

static bool is_seen(const uint64_t *addresses, size_t count, const struct jit_piece *p)
{
	size_t low = FIRST_NOT(i, count, addresses[i] < p->offset);

	return low < count && addresses[low] - p->offset < p->size;
}

/* "8513 23509317896969 7f2c4d000100 80 1c40 /tmp/jit-8513.dump" */
static void code_section_add_piece(struct str *out, const struct jit_piece *p, uint64_t since_ns,
				   const struct module *module)
{
	size_t start = out->len;

	str_addf(out, "%d %" PRIu64 " %" PRIx64 " %" PRIx64 " %" PRIx64 " %s", module->pid, since_ns, p->start, p->size,
		 p->offset, module->path);
	for (size_t i = start; i < out->len; i++)
		out->buf[i] = out->buf[i] == '\n' ? '?' : out->buf[i];
	str_addc(out, '\n');
}

/* Append a line for each piece of JIT code that contains one of the places.
 * spaces: as filled by jit_files_place(). */
static void code_section_write(const struct jit_files *jit, struct spaces *spaces, const struct places *places,
			       struct modules *modules, struct str *out)
{
	uint64_t *addresses = xmalloc((places->count + 1) * sizeof(*addresses));

	for (size_t i = 0; i < jit->count; i++) {
		const struct jit_file *f = &jit->items[i];
		uint32_t module = jit_file_module(f, modules);
		size_t seen = f->code.count ? seen_in(places, module, addresses) : 0;

		for (size_t n = 0; seen && n < f->code.count; n++) {
			const struct jit_piece *p = jit_code_piece(&f->code, n);

			if (p->by_time && is_seen(addresses, seen, p))
				code_section_add_piece(out, p, jit_piece_since(p, n, spaces, f->pid),
						       &modules->items[module]);
		}
	}
	free(addresses);
}

/* --- names --- */

/* Offsets in struct perf_file_header: size of an attribute, positions of attributes and data. */
enum { AT_ATTR_SIZE = 16, AT_ATTRS_OFFSET = 24, AT_ATTRS_SIZE = 32, AT_DATA_OFFSET = 40, AT_DATA_SIZE = 48 };

struct symbolizer {
	const uint8_t *bytes; /* the file, mapped */
	size_t size, data, data_end;
	struct modules modules;
	struct spaces spaces;
	struct places places;
	struct capture *capture;
	struct kernel_code kernel_code;
	bool walked; /* user stacks of the kernel's samples were walked (collect/sampling/stack_walk.h) */
};

static uint64_t symbolize_load_u64(const struct symbolizer *s, size_t at)
{
	uint64_t n = 0;

	if (at + sizeof(n) <= s->size)
		memcpy(&n, s->bytes + at, sizeof(n));
	return n;
}

/* Whether stacks were walked shows as core/format/recording.h describes. */
static bool has_walked_stacks(const struct symbolizer *s)
{
	uint64_t at = symbolize_load_u64(s, AT_ATTRS_OFFSET), end = at + symbolize_load_u64(s, AT_ATTRS_SIZE);
	uint64_t step = symbolize_load_u64(s, AT_ATTR_SIZE);
	struct perf_event_attr attr;

	for (; step >= sizeof(attr) && at + step <= end && end <= s->size; at += step) {
		memcpy(&attr, s->bytes + at, sizeof(attr));
		if (attr.exclude_callchain_user && !attr.exclude_callchain_kernel)
			return true;
	}
	return false;
}

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
	offset = symbolize_load_u64(s, AT_DATA_OFFSET);
	size = symbolize_load_u64(s, AT_DATA_SIZE);
	s->data = offset;
	s->data_end = offset + size <= s->size ? offset + size : s->size;
	s->walked = has_walked_stacks(s);
out:
	if (fd >= 0)
		close(fd);
	return status;
}

static struct records data_of(const struct symbolizer *s)
{
	return (struct records){ s->bytes, s->data_end, s->data };
}

/* Add the next stack of the chain, of process pid. */
static void symbolize_add_stack(struct symbolizer *s, struct chain *chain, int pid, uint64_t time_ns,
				struct capture_stack stack)
{
	struct space *space = spaces_find(&s->spaces, pid, time_ns);
	uint32_t context = space_context(&s->spaces, space, time_ns);
	uint64_t address;

	while (chain_next(chain, &address)) {
		uint32_t place = places_add(&s->places, chain->kernel ? NULL : space, chain->kernel ? 0 : context,
					    address, time_ns);

		capture_frame(s->capture, &stack, place, s->places.items[place].module, chain->kernel);
	}
	capture_stack(s->capture, &stack);
}

/* How the chain ends, according to its last label. */
static enum recording_end symbolize_end_of(const struct chain *chain)
{
	uint64_t last = chain->count ? chain_entry(chain, chain->count - 1) : 0;

	if (!RECORDING_IS_LABEL(last) || RECORDING_LABEL_KIND(last) != RECORDING_LABEL_END)
		return RECORDING_END_COMPLETE;
	return (enum recording_end)RECORDING_LABEL_VALUE(last);
}

/* Of which name is this label the address?  0: of none. */
static uint64_t label_address(uint64_t entry)
{
	if (!RECORDING_IS_LABEL(entry))
		return 0;
	switch (RECORDING_LABEL_KIND(entry)) {
	case RECORDING_LABEL_CLASS: return RECORDING_JAVA + RECORDING_LABEL_VALUE(entry);
	case RECORDING_LABEL_TASK:
	case RECORDING_LABEL_AWAITING: return RECORDING_PYTHON + RECORDING_LABEL_VALUE(entry);
	default: return 0;
	}
}

/* Labels that stand for names get these: the class of an object, the task of a thread, what awaits it. */
static void symbolize_add_labels(struct symbolizer *s, const struct chain *chain, int pid, uint64_t time_ns)
{
	struct space *space = spaces_find(&s->spaces, pid, time_ns);

	for (size_t i = 0; i < chain->count; i++) {
		uint64_t entry = chain_entry(chain, i), address = label_address(entry);

		if (address)
			places_add(&s->places, space, space_context(&s->spaces, space, time_ns), address, time_ns);
	}
}

/* Was the span's stack walked? len bytes follow the chain. */
static bool is_walked_span(const uint8_t *tail, size_t len)
{
	struct recording_span span;

	if (len < sizeof(span))
		return false;
	memcpy(&span, tail, sizeof(span));
	return span.flags & RECORDING_WALKED;
}

/* Add a sample: entries is its chain; what follows the chain has len bytes. */
static void symbolize_add_sample(struct symbolizer *s, const struct recording_sample *sample, bool is_kernel,
				 const uint8_t *entries, size_t len)
{
	size_t chain_len = 8 * (size_t)sample->chain_count;
	struct capture_stack stack = { .alone = !sample->chain_count, .span = sample->id >= SPANS_FIRST_ID };
	struct chain chain =
		stack.alone ? chain_of(&sample->ip, 1, is_kernel) : chain_of(entries, sample->chain_count, false);
	uint64_t label;

	stack.walked = stack.span ? is_walked_span(entries + chain_len, len - chain_len) : s->walked;
	chain.labelled = stack.walked || sample->id >= SPANS_FIRST_ID;
	if (stack.walked) {
		stack.end = symbolize_end_of(&chain);
		symbolize_add_labels(s, &chain, (int)sample->pid, sample->time_ns);
	}
	symbolize_add_stack(s, &chain, (int)sample->pid, sample->time_ns, stack);
	while (chain_hop(&chain, &label))
		symbolize_add_stack(s, &chain, chain_waker_pid(label), sample->time_ns,
				    (struct capture_stack){ .span = stack.span });
}

static void symbolize_read_samples(struct symbolizer *s)
{
	struct records records = data_of(s);
	struct perf_event_header header;
	struct recording_sample sample;
	const uint8_t *record;

	while ((record = records_next(&records, &header))) {
		const uint8_t *body = record + sizeof(header);
		size_t len = header.size - sizeof(header);

		if (header.type == PERF_RECORD_KSYMBOL)
			kernel_code_add(&s->kernel_code, record, header.size, records_time(record, header.size));
		if (header.type != PERF_RECORD_SAMPLE || len < sizeof(sample))
			continue;
		memcpy(&sample, body, sizeof(sample));
		if (sample.chain_count <= (len - sizeof(sample)) / 8)
			symbolize_add_sample(s, &sample, misc_is_kernel(header.misc), body + sizeof(sample),
					     len - sizeof(sample));
	}
	kernel_code_sort(&s->kernel_code);
}

/* List the build-ids of the files in which there are samples. */
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

static void symbolize_find_runtime(struct symbolizer *s, struct capture_worst *worst)
{
	if (worst->is_jit)
		worst->runtime = runtime_of(&s->spaces, &s->modules, worst->pid);
}

int symbolize(const char *path, struct kept_files *kept, struct jit_files *jit, struct str *section, struct str *code,
	      struct str *build_ids, struct capture *capture)
{
	struct symbolizer s = { .capture = capture };
	struct live live = { .quiet = true, .jit = jit, .kernel_code = &s.kernel_code, .saved = true };
	int status = -1;

	live.kept = kept->kernel.text ? &kept->kernel : NULL;
	live.inlined = live.lines = !capture->symbols_only;
	live_start(&live);
	modules_init(&s.modules);
	if (map_recording(&s, path) < 0)
		goto out;
	records_apply_changes(data_of(&s), &s.spaces, &s.modules);
	kept_files_give(kept, &s.modules);
	jit_files_place(jit, &s.spaces, &s.modules);
	jit_files_complain(jit);
	symbolize_read_samples(&s);
	places_resolve(&s.places, &s.modules, live_source, &live);
	capture_judge(capture, &s.places, &s.modules);
	symbolize_find_runtime(&s, &capture->of_samples);
	symbolize_find_runtime(&s, &capture->of_spans);
	list_build_ids(&s, build_ids);
	symbol_section_write(section, &s.places, &s.modules);
	code_section_write(jit, &s.spaces, &s.places, &s.modules, code);
	if (!section->len) /* an empty section tells readers not to look elsewhere */
		str_puts(section, "module kernel - [kernel.kallsyms]\n");
	status = 0;
out:
	live_free(&live);
	kernel_code_free(&s.kernel_code);
	places_free(&s.places);
	spaces_free(&s.spaces);
	modules_free(&s.modules);
	if (s.bytes)
		munmap((void *)s.bytes, s.size);
	return status;
}
