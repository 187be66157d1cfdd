#include "collect/jvm/code_heaps.h"

#include <string.h>

enum {
	OBJECT_MAX = 512, /* bytes read of a CodeHeap, a HeapBlock */
	MAP_AT_ONCE = 256,
	STRETCHES_MAX = 1024,
};

static const uint64_t reserved_max_bytes = (uint64_t)2 << 30; /* the maximum of ReservedCodeCacheSize */

enum { SEGMENT_FREE = 0xff };

static bool code_heaps_find_all(struct code_heaps *h, const struct vm_tables *t)
{
	const char *list =
		vm_offset(t, "GrowableArrayBase", "_len") >= 0 ? "GrowableArrayBase" : "GenericGrowableArray";
	struct {
		struct blob_field *to;
		const char *type, *field;
	} wanted[] = {
		{ &h->memory, "CodeHeap", "_memory" },
		{ &h->map, "CodeHeap", "_segmap" },
		{ &h->low_at, "VirtualSpace", "_low" },
		{ &h->high_at, "VirtualSpace", "_high" },
		{ &h->end_at, "VirtualSpace", "_high_boundary" },
		{ &h->log2_segment, "CodeHeap", "_log2_segment_size" },
		{ &h->length, "HeapBlock::Header", "_length" },
		{ &h->used, "HeapBlock::Header", "_used" },
	};

	for (size_t i = 0; i < sizeof(wanted) / sizeof(*wanted); i++) {
		if (!blob_field_find(wanted[i].to, t, wanted[i].type, wanted[i].field))
			return false;
	}
	h->only_at = vm_static(t, "CodeCache", "_heap");
	h->list_at = vm_static(t, "CodeCache", "_heaps");
	h->block_header = vm_size(t, "HeapBlock");
	return h->block_header && h->block_header <= 64 && h->length.offset + 8 <= h->block_header &&
	       h->used.offset + h->used.size <= h->block_header &&
	       (h->only_at || (h->list_at && blob_field_find(&h->list_len, t, list, "_len") &&
			       blob_field_find(&h->list_data, t, "GrowableArray<int>", "_data")));
}

bool code_heaps_init(struct code_heaps *h, const struct jvm *jvm, const char **why)
{
	*h = (struct code_heaps){ .jvm = jvm };
	*why = "vmStructs without CodeHeap";
	return code_heaps_find_all(h, jvm->tables);
}

/* ---- the heaps ------------------------------------------------------------------------------ */

/* Read an address from a VirtualSpace that is a field of the heap. */
static uint64_t space(const uint8_t *heap, const struct blob_field *within, const struct blob_field *what)
{
	return within->offset + what->offset <= OBJECT_MAX - 8 ? blob_field_get(what, heap + within->offset) : 0;
}

static bool code_heaps_read_heap(const struct code_heaps *h, uint64_t address, struct code_heap *to)
{
	uint32_t farthest = h->map.offset > h->memory.offset ? h->map.offset : h->memory.offset;
	uint8_t bytes[OBJECT_MAX] = { 0 };

	farthest += h->end_at.offset + 8;
	if (farthest < h->log2_segment.offset + 8)
		farthest = h->log2_segment.offset + 8;
	if (farthest > OBJECT_MAX || !remote_read(&h->jvm->remote, address, bytes, farthest))
		return false;
	*to = (struct code_heap){
		.low = space(bytes, &h->memory, &h->low_at),
		.high = space(bytes, &h->memory, &h->high_at),
		.end = space(bytes, &h->memory, &h->end_at),
		.map = space(bytes, &h->map, &h->low_at),
		.map_end = space(bytes, &h->map, &h->high_at),
		.log2_segment = (unsigned)blob_field_get(&h->log2_segment, bytes),
	};
	return to->low && to->low <= to->high && to->high <= to->end && to->end - to->low <= reserved_max_bytes &&
	       to->map && to->map <= to->map_end && to->log2_segment >= LOG2_SEGMENT_MIN &&
	       to->log2_segment <= LOG2_SEGMENT_MAX;
}

static size_t addresses_of(const struct code_heaps *h, uint64_t addresses[CODE_HEAPS_MAX])
{
	const struct remote *r = &h->jvm->remote;
	uint64_t array, data;
	uint32_t len;

	if (h->only_at)
		return remote_u64(r, h->only_at, &addresses[0]) && addresses[0];
	if (!remote_u64(r, h->list_at, &array) || !array || !remote_u32(r, array + h->list_len.offset, &len) ||
	    len > CODE_HEAPS_MAX || !remote_u64(r, array + h->list_data.offset, &data) ||
	    !remote_read(r, data, addresses, len * sizeof(*addresses)))
		return 0;
	return len;
}

void code_heaps_read(struct code_heaps *h)
{
	uint64_t addresses[CODE_HEAPS_MAX];
	size_t count = addresses_of(h, addresses);
	struct code_heaps now = *h;

	now.count = 0;
	now.low = UINT64_MAX;
	now.end = 0;
	for (size_t i = 0; i < count; i++) {
		struct code_heap *heap = &now.list[now.count];

		if (!code_heaps_read_heap(h, addresses[i], heap))
			continue;
		now.low = heap->low < now.low ? heap->low : now.low;
		now.end = heap->end > now.end ? heap->end : now.end;
		now.count++;
	}
	if (!jvm_has_ended(h->jvm)) /* if the JVM ends while we read, earlier readings are final */
		*h = now;
}

const struct code_heap *code_heaps_at(const struct code_heaps *h, uint64_t address)
{
	for (size_t i = 0; i < h->count; i++) {
		if (address >= h->list[i].low && address < h->list[i].end)
			return &h->list[i];
	}
	return NULL;
}

/* ---- blocks --------------------------------------------------------------------------------- */

/* Goes back from *segment within a piece of the map that begins at segment number `first`.  Returns the last byte
 * examined; 0 if the beginning of a block was found. */
static uint8_t go_back(const uint8_t *stretch, uint64_t first, uint64_t *segment)
{
	uint8_t back = stretch[*segment - first];

	while (back && back != SEGMENT_FREE && back <= *segment) {
		*segment -= back;
		if (*segment < first)
			break;
		back = stretch[*segment - first];
	}
	return back;
}

uint64_t code_heaps_block(const struct code_heaps *h, uint64_t address)
{
	const struct code_heap *heap = code_heaps_at(h, address);
	uint8_t stretch[MAP_AT_ONCE];
	uint64_t segment, before, first;

	if (!heap || address >= heap->high)
		return 0;
	segment = (address - heap->low) >> heap->log2_segment;
	if (segment >= heap->map_end - heap->map)
		return 0;
	for (int i = 0; i < STRETCHES_MAX; i++) {
		before = segment;
		first = segment < MAP_AT_ONCE - 1 ? 0 : segment - (MAP_AT_ONCE - 1);
		if (!remote_read(&h->jvm->remote, heap->map + first, stretch, segment - first + 1))
			return 0;
		if (!go_back(stretch, first, &segment))
			return heap->low + (segment << heap->log2_segment);
		if (segment == before)
			return 0;
	}
	return 0;
}

bool code_heaps_read_block(const struct code_heaps *h, uint64_t start, size_t size, struct code_block *block)
{
	const struct code_heap *heap = code_heaps_at(h, start);
	uint8_t header[64], begins = SEGMENT_FREE;
	uint64_t room, length;
	struct remote_part parts[3];

	if (!heap || start >= heap->high || heap->high - start <= h->block_header)
		return false;
	room = heap->high - start - h->block_header;
	memset(block->header, 0, sizeof(block->header));
	parts[0] = (struct remote_part){ heap->map + ((start - heap->low) >> heap->log2_segment), &begins, 1 };
	parts[1] = (struct remote_part){ start, header, h->block_header };
	parts[2] = (struct remote_part){ start + h->block_header, block->header, size < room ? size : room };
	if (remote_read_parts(&h->jvm->remote, parts, 3) != 3 || begins || !(uint8_t)blob_field_get(&h->used, header))
		return false;
	length = blob_field_get(&h->length, header);
	if (!length || length > (heap->high - start) >> heap->log2_segment)
		return false;
	block->start = start;
	block->end = start + (length << heap->log2_segment);
	block->blob = start + h->block_header;
	return true;
}
