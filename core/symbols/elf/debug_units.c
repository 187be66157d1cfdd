#include "core/symbols/elf/debug_units.h"

#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "core/sorted.h"
#include "core/symbols/elf/elf_file.h"

/* A set: u32 length of what follows; u16 version, u32 offset of the unit, u8 bytes of an address, u8 of a segment; padding, as
 * if the section were aligned; pairs of address and length; a pair of zeros.  Those of more than 4 GB (64-bit DWARF) are not
 * read. */
enum { LENGTH_BYTES = 4, HEAD_BYTES = 12, PAIR_BYTES = 16, VERSION = 2 };

static bool debug_units_has_address(const uint64_t *addresses, size_t count, uint64_t start, uint64_t len)
{
	size_t first = FIRST_NOT(i, count, addresses[i] < start);

	return first < count && addresses[first] - start < len;
}

/* Read the set of len bytes, whose length is given.  Returns false if it is not understood. */
static bool debug_units_read_set(struct debug_units *u, const char *set, size_t len, const uint64_t *addresses,
				 size_t count)
{
	uint64_t pair[2];
	uint32_t offset;
	uint16_t version;
	bool wanted = false;

	if (len < HEAD_BYTES)
		return false;
	memcpy(&version, set + LENGTH_BYTES, sizeof(version));
	memcpy(&offset, set + LENGTH_BYTES + sizeof(version), sizeof(offset));
	if (version != VERSION || set[HEAD_BYTES - 2] != sizeof(pair[0]) || set[HEAD_BYTES - 1])
		return false;
	for (size_t at = PAIR_BYTES; !wanted && len - at >= sizeof(pair) && at < len; at += sizeof(pair)) {
		memcpy(pair, set + at, sizeof(pair));
		wanted = debug_units_has_address(addresses, count, pair[0], pair[1]);
	}
	u->items = xgrow(u->items, &u->cap, u->count + 1, sizeof(*u->items));
	u->items[u->count++] = (struct debug_unit){ offset, wanted };
	return true;
}

SORT_BY(by_offset, struct debug_unit, offset);

/* A unit may have several sets. */
static void merge_sets(struct debug_units *u)
{
	size_t kept = 0;

	if (u->count)
		qsort(u->items, u->count, sizeof(*u->items), by_offset);
	for (size_t i = 0; i < u->count; i++) {
		if (kept && u->items[kept - 1].offset == u->items[i].offset)
			u->items[kept - 1].wanted |= u->items[i].wanted;
		else
			u->items[kept++] = u->items[i];
	}
	u->count = kept;
}

void debug_units_read(struct debug_units *u, Elf *elf, const uint64_t *addresses, size_t count)
{
	GElf_Shdr header;
	Elf_Data *data = elf_file_section(elf, ".debug_aranges", &header);
	const char *bytes = data ? data->d_buf : NULL;
	GElf_Ehdr file;
	uint32_t len;

	*u = (struct debug_units){ 0 };
	if (!bytes || header.sh_flags & SHF_COMPRESSED || !gelf_getehdr(elf, &file) || file.e_type == ET_REL ||
	    file.e_ident[EI_DATA] != (__BYTE_ORDER == __LITTLE_ENDIAN ? ELFDATA2LSB : ELFDATA2MSB))
		return;
	for (size_t at = 0; data->d_size - at > LENGTH_BYTES; at += len + LENGTH_BYTES) {
		memcpy(&len, bytes + at, sizeof(len));
		if (len > data->d_size - at - LENGTH_BYTES ||
		    !debug_units_read_set(u, bytes + at, len + LENGTH_BYTES, addresses, count)) {
			debug_units_free(u);
			return;
		}
	}
	merge_sets(u);
}

bool debug_units_may_have(const struct debug_units *u, uint64_t offset)
{
	size_t i = FIRST_NOT(n, u->count, u->items[n].offset < offset);

	return i == u->count || u->items[i].offset != offset || u->items[i].wanted;
}

void debug_units_free(struct debug_units *u)
{
	if (!u)
		return;
	free(u->items);
	*u = (struct debug_units){ 0 };
}
