#include "core/symbols/elf/frame_index.h"

#include "core/sorted.h"

/* The header as all linkers write it, and its table, ascending. */
struct frame_index {
	uint8_t version, pointer_encoding, count_encoding, table_encoding;
	int32_t eh_frame;
	uint32_t count;
	struct frame_index_row {
		int32_t function, entry; /* relative to the section */
	} rows[];
};

enum { UDATA4 = 0x03, DATAREL_SDATA4 = 0x3b };

bool frame_index_find(const struct elf_file *file, uint64_t address, uint64_t *start, uint64_t *next)
{
	GElf_Shdr header;
	Elf_Data *data = elf_file_section(file->elf, ".eh_frame_hdr", &header);
	const struct frame_index *index = data ? data->d_buf : NULL;
	int64_t at = (int64_t)(address - header.sh_addr);
	size_t low;

	if (!index || data->d_size < sizeof(*index) || (uintptr_t)index % _Alignof(struct frame_index) ||
	    index->version != 1 || index->count_encoding != UDATA4 || index->table_encoding != DATAREL_SDATA4 ||
	    index->count > (data->d_size - sizeof(*index)) / sizeof(*index->rows))
		return false;
	low = FIRST_NOT(i, index->count, index->rows[i].function <= at);
	if (!low)
		return false;
	*start = header.sh_addr + (uint64_t)(int64_t)index->rows[low - 1].function;
	*next = low < index->count ? header.sh_addr + (uint64_t)(int64_t)index->rows[low].function : UINT64_MAX;
	return true;
}
