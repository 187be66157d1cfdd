#include "collect/recording/code_section.h"

#include <inttypes.h>
#include <stdlib.h>

#include "core/memory.h"
#include "core/sorted.h"

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

void code_section_write(const struct jit_files *jit, struct spaces *spaces, const struct places *places,
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
