#include "collect/machine/file_ids.h"

#include <stdlib.h>

#include "core/hash.h"
#include "core/memory.h"

static struct file_id *file_ids_find_slot(struct file_id *slots, size_t count, uint64_t device, uint64_t inode)
{
	size_t i = hash_mix(device, inode) & (count - 1);

	while (slots[i].inode && (slots[i].inode != inode || slots[i].device != device))
		i = (i + 1) & (count - 1);
	return &slots[i];
}

static void file_ids_grow(struct file_ids *f)
{
	size_t count = f->slot_count ? 2 * f->slot_count : 256;
	struct file_id *slots = xcalloc(count, sizeof(*slots));

	for (size_t i = 0; i < f->slot_count; i++) {
		if (f->slots[i].inode)
			*file_ids_find_slot(slots, count, f->slots[i].device, f->slots[i].inode) = f->slots[i];
	}
	free(f->slots);
	f->slots = slots;
	f->slot_count = count;
}

struct file_id *file_id_find(struct file_ids *f, uint64_t device, uint64_t inode, bool *fresh)
{
	struct file_id *file;

	if (f->count * 2 >= f->slot_count)
		file_ids_grow(f);
	file = file_ids_find_slot(f->slots, f->slot_count, device, inode);
	*fresh = !file->inode;
	if (*fresh) {
		*file = (struct file_id){ .device = device, .inode = inode };
		f->count++;
	}
	return file;
}

void file_ids_free(struct file_ids *f)
{
	free(f->slots);
	*f = (struct file_ids){ 0 };
}
