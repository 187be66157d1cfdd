#include "collect/faults/fault_files.h"

#include <inttypes.h>
#include <stdlib.h>

#include "core/memory.h"

enum { MINOR_BITS = 20 };

struct fault_file_key {
	uint64_t device, inode;
};

uint32_t fault_files_number(struct fault_files *f, struct file_list *list, const struct fault_place *place)
{
	struct fault_file_key key = { place->device, place->inode };
	size_t known = f->files.count;
	uint32_t i = intern_add(&f->files, (const char *)&key, sizeof(key)), number;
	enum fault_maps_answer answer;
	struct str path = { 0 };

	if (i < known && (f->numbers[i] = file_list_again(list, f->numbers[i])) != FILE_LIST_GONE)
		return f->numbers[i];
	if (i >= known)
		file_list_key(list);
	answer = fault_maps_path(&f->maps, place, &path);
	if (!path.len)
		str_addf(&path, "[%s%sinode %" PRIu64 " of %u:%u]", place->name, *place->name ? ", " : "", place->inode,
			 place->device >> MINOR_BITS, place->device & ((1u << MINOR_BITS) - 1));
	f->numbers = xgrow(f->numbers, &f->cap, f->files.count, sizeof(*f->numbers));
	number = file_list_add(list, path.buf, path.len);
	f->numbers[i] = answer == FAULT_MAPS_LATER ? FILE_LIST_GONE : number;
	str_free(&path);
	return number;
}

void fault_files_forget(struct fault_files *f, const struct file_list *list)
{
	struct fault_files kept = { .maps = f->maps };

	for (uint32_t i = 0; i < f->files.count; i++) {
		if (f->numbers[i] < list->first || f->numbers[i] == FILE_LIST_GONE)
			continue;
		intern_add(&kept.files, intern_text(&f->files, i), intern_len(&f->files, i));
		kept.numbers = xgrow(kept.numbers, &kept.cap, kept.files.count, sizeof(*kept.numbers));
		kept.numbers[kept.files.count - 1] = f->numbers[i];
	}
	intern_free(&f->files);
	free(f->numbers);
	*f = kept;
}

void fault_files_free(struct fault_files *f)
{
	intern_free(&f->files);
	free(f->numbers);
	fault_maps_free(&f->maps);
	*f = (struct fault_files){ 0 };
}
