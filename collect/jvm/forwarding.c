#include "collect/jvm/forwarding.h"

#include <stdio.h>
#include <string.h>

enum { YOUNG, OLD, ENTRY_BYTES = 8 };

/* ---- what the tables say ---- */

/* The offset of a field; kind selects the type: "ZForwarding", "XForwarding". */
static int64_t forwarding_offset_of(const struct jvm *jvm, char kind, const char *type, const char *field)
{
	char name[64];

	snprintf(name, sizeof(name), "%c%s", kind, type);
	return vm_offset(jvm->tables, name, field);
}

static bool read_layout(struct forwarding *f, const struct jvm *jvm, char kind)
{
	int64_t space = forwarding_offset_of(jvm, kind, "Forwarding", "_virtual");
	int64_t start = forwarding_offset_of(jvm, kind, "VirtualMemory", "_start");
	int64_t alignment = forwarding_offset_of(jvm, kind, "Forwarding", "_object_alignment_shift");
	int64_t entries = forwarding_offset_of(jvm, kind, "Forwarding", "_entries"), shift = 0;
	int64_t length = forwarding_offset_of(jvm, kind, "AttachedArrayForForwarding", "_length");
	char name[64], field[64];
	uint64_t globals, mask;
	int64_t mask_at;

	snprintf(name, sizeof(name), "%cGlobalsForVMStructs", kind);
	snprintf(field, sizeof(field), "_%cAddressOffsetMask", kind);
	mask_at = vm_offset(jvm->tables, name, field);
	if (space < 0 || start < 0 || alignment < 0 || entries < 0 || length < 0 || mask_at < 0 ||
	    !remote_u64(f->remote, vm_static(jvm->tables, name, "_instance_p"), &globals) ||
	    !remote_u64(f->remote, globals + (uint64_t)mask_at, &mask) || !remote_u64(f->remote, mask, &f->offset_mask))
		return false;
	snprintf(name, sizeof(name), "%cGranuleSizeShift", kind);
	if (!vm_constant(jvm->tables, name, &shift) || shift <= 0 || shift > 40)
		return false;
	snprintf(name, sizeof(name), "%cForwarding", kind);
	f->granule_shift = (unsigned)shift;
	f->start_at = (uint64_t)(space + start);
	f->alignment_at = (uint64_t)alignment;
	f->length_at = (uint64_t)(entries + length);
	f->entries_at = (vm_size(jvm->tables, name) + ENTRY_BYTES - 1) & ~(uint64_t)(ENTRY_BYTES - 1);
	return f->entries_at > f->length_at;
}

/* A ZGeneration has a pointer to the page table, which is in the heap.  The generation's forwarding table follows this
 * pointer, and is recognised by its size, with which both tables begin, though that of the forwarding table may be
 * smaller. */
static uint64_t map_of_generation(const struct forwarding *f, uint64_t generation, uint64_t pages, uint64_t map_at)
{
	enum { WORDS = 32 };
	uint64_t words[WORDS], size = 0;

	if (!generation || !remote_u64(f->remote, generation, &generation) ||
	    !remote_read(f->remote, generation, words, sizeof(words)) || !remote_u64(f->remote, pages, &size))
		return 0;
	for (size_t i = 0; i + 2 < WORDS; i++) {
		if (words[i] == pages && words[i + 1] && words[i + 1] <= size)
			return generation + 8 * (i + 1) + map_at;
	}
	return 0;
}

static void find_generations(struct forwarding *f, const struct jvm *jvm, uint64_t pages, uint64_t map_at)
{
	struct runtime_symbol symbols[] = {
		{ .name = "_ZN11ZGeneration6_youngE" },
		{ .name = "_ZN11ZGeneration4_oldE" },
		{ .name = "ZPointerRemappedOldMask" },
		{ .name = "ZPointerRemappedYoungMask" },
	};

	runtime_symbols(&jvm->lib, symbols, 4);
	for (int i = YOUNG; i <= OLD; i++) {
		f->maps[i] = map_of_generation(f, symbols[i].address, pages, map_at);
		f->good_masks[i] = symbols[2 + i].address;
	}
}

void forwarding_init(struct forwarding *f, const struct jvm *jvm, char kind, bool is_generational, uint64_t heap)
{
	int64_t inner = forwarding_offset_of(jvm, kind, "CollectedHeap", "_heap");
	int64_t table = forwarding_offset_of(jvm, kind, "Heap", "_forwarding_table");
	int64_t pages = forwarding_offset_of(jvm, kind, "Heap", "_page_table");
	int64_t in_table = forwarding_offset_of(jvm, kind, "ForwardingTable", "_map");
	int64_t map_at = forwarding_offset_of(jvm, kind, "GranuleMapForForwarding", "_map");

	*f = (struct forwarding){ .remote = &jvm->remote };
	if (!heap || inner < 0 || in_table < 0 || map_at < 0 || !read_layout(f, jvm, kind))
		return;
	if (is_generational && pages >= 0)
		find_generations(f, jvm, heap + (uint64_t)(inner + pages), (uint64_t)(in_table + map_at));
	else if (table >= 0)
		f->maps[YOUNG] = heap + (uint64_t)(inner + table + in_table + map_at);
}

/* ---- looking ---- */

/* The first place to look for an object in a forwarding: Thomas Wang's 32-bit hash. */
static uint32_t hash(uint32_t key)
{
	key = (key << 15) - key - 1;
	key ^= key >> 12;
	key += key << 2;
	key ^= key >> 4;
	key *= 2057;
	return key ^ key >> 16;
}

/* The ZForwarding of the granule that contains an address; 0: nothing was moved from there. */
static uint64_t forwarding_of(const struct forwarding *f, int generation, uint64_t address)
{
	uint64_t granule = (address & f->offset_mask) >> f->granule_shift, map[2] /* size, first */, forwarding = 0;

	if (f->maps[generation] && remote_read(f->remote, f->maps[generation] - 8, map, sizeof(map)) &&
	    granule < map[0])
		remote_u64(f->remote, map[1] + 8 * granule, &forwarding);
	return forwarding;
}

/* Returns false if it is unknown whether the object has moved; *to is 0 if it has not. */
static bool forwarding_find_entry(const struct forwarding *f, uint64_t forwarding, uint64_t address, uint64_t *to)
{
	enum { PROBES = 256, LENGTH_MAX = 1 << 24 };
	uint64_t start, alignment, length, entry, index;

	*to = 0;
	if (!remote_u64(f->remote, forwarding + f->start_at, &start) ||
	    !remote_u64(f->remote, forwarding + f->alignment_at, &alignment) ||
	    !remote_u64(f->remote, forwarding + f->length_at, &length) || alignment > 40 || !length ||
	    length & (length - 1) || length > LENGTH_MAX || (address & f->offset_mask) < start)
		return false;
	index = ((address & f->offset_mask) - start) >> alignment;
	for (uint64_t i = 0, at = hash((uint32_t)index); i < PROBES && i < length; i++, at++) {
		if (!remote_u64(f->remote, forwarding + f->entries_at + (at & (length - 1)) * ENTRY_BYTES, &entry))
			return false;
		if (!(entry & 1))
			return true;
		if (entry >> 46 == index) {
			*to = (address & ~f->offset_mask) | (entry >> 1 & ((1ull << 45) - 1));
			return true;
		}
	}
	return false;
}

static bool has_colour(const struct forwarding *f, int generation, uint64_t reference)
{
	uint64_t mask;

	return f->good_masks[generation] && remote_u64(f->remote, f->good_masks[generation], &mask) && reference & mask;
}

/* The generation in which the object may have moved since the reference was written, if any. */
static int generation_of(const struct forwarding *f, uint64_t reference, uint64_t address, bool *is_sure)
{
	if (!f->maps[OLD] || has_colour(f, YOUNG, reference))
		return YOUNG;
	if (has_colour(f, OLD, reference))
		return OLD;
	*is_sure = false;
	return forwarding_of(f, YOUNG, address) ? YOUNG : OLD;
}

uint64_t forwarding_find(const struct forwarding *f, uint64_t reference, uint64_t address, bool *is_sure)
{
	uint64_t forwarding, to = 0;

	if (!f->maps[YOUNG]) {
		*is_sure = false;
		return address;
	}
	forwarding = forwarding_of(f, generation_of(f, reference, address, is_sure), address);
	if (forwarding && !forwarding_find_entry(f, forwarding, address, &to))
		*is_sure = false;
	return to ? to : address;
}
