#include "collapse/perfdata/kernel_areas.h"

#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "core/sorted.h"
#include "core/str.h"

/* "/lib/modules/6.1.0/kernel/net/xt-mark.ko.xz" -> "[xt_mark]": the kernel writes '_' for '-' in
 * names of modules. */
static void kernel_areas_add_name(struct str *out, const char *path, size_t len)
{
	const char *slash = memrchr(path, '/', len), *name = slash ? slash + 1 : path, *end = path + len, *dot;

	dot = memmem(name, (size_t)(end - name), ".ko", 3);
	str_addc(out, '[');
	for (const char *c = name; c < (dot ? dot : end); c++)
		str_addc(out, *c == '-' ? '_' : *c);
	str_addc(out, ']');
}

/* "[kernel.kallsyms]_text", "[guest.kernel.kallsyms.412]"; "[joydev]" and "[bpf_prog_...]" are not the kernel itself */
static bool is_kernel_itself(const struct mmap_record *m)
{
	return !m->path_len || text_begins(m->path, m->path_len, "[kernel.") ||
	       text_begins(m->path, m->path_len, "[guest.kernel");
}

void kernel_areas_add(struct kernel_areas *k, struct modules *modules, const struct mmap_record *m)
{
	struct str name = { 0 };

	if (is_kernel_itself(m))
		return;
	if (m->path[0] == '[')
		str_add(&name, m->path, m->path_len);
	else
		kernel_areas_add_name(&name, m->path, m->path_len);
	k->items = xgrow(k->items, &k->cap, k->count + 1, sizeof(*k->items));
	k->items[k->count++] =
		(struct kernel_area){ m->start, m->len, modules_add(modules, MODULE_KERNEL, name.buf, "-", 0) };
	str_free(&name);
}

SORT_BY(kernel_areas_by_start, struct kernel_area, start);

/* The area that contains address; NULL: none. */
static const struct kernel_area *kernel_areas_find(const struct kernel_areas *k, uint64_t address)
{
	size_t low = FIRST_NOT(i, k->count, k->items[i].start <= address);

	return low && address - k->items[low - 1].start < k->items[low - 1].len ? &k->items[low - 1] : NULL;
}

void kernel_areas_assign(struct kernel_areas *k, struct places *places)
{
	const struct kernel_area *area;

	if (!k->count)
		return;
	qsort(k->items, k->count, sizeof(*k->items), kernel_areas_by_start);
	for (size_t i = 0; i < places->count; i++) {
		struct place *place = &places->items[i];

		if (place->module == MODULE_KERNEL_ID && !place->name && (area = kernel_areas_find(k, place->address)))
			place->module = area->module;
	}
}

void kernel_areas_free(struct kernel_areas *k)
{
	if (!k)
		return;
	free(k->items);
	*k = (struct kernel_areas){ 0 };
}
