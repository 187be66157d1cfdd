#include "collect/alloc/alloc_heap.h"

#include <stdlib.h>
#include <string.h>

#include "collect/jvm/oops.h"
#include "collect/machine/anchors.h"
#include "core/memory.h"

struct alloc_heap {
	struct jvm jvm;
	struct oops oops;
	uint32_t collections; /* number of collections of the heap, ... */
	uint64_t since_ns;    /* ... which has been the same since this time, or longer */
	/* Klass::_layout_helper (hotspot/share/oops/klass.hpp): for instances the size; for arrays tag, header
	 * size, element type, log2 of the element size. */
	int64_t layout_at, slow_path_bit, header_shift, header_mask, element_shift, element_mask;
	uint64_t alignment;
};

static bool alloc_heap_find_layout(struct alloc_heap *h)
{
	const struct vm_tables *t = h->jvm.tables;

	h->layout_at = vm_offset(t, "Klass", "_layout_helper");
	if (!vm_flag(t, &h->jvm.remote, "ObjectAlignmentInBytes", &h->alignment))
		h->alignment = 0;
	h->alignment &= UINT32_MAX; /* in some versions the field has only 4 bytes */
	if (!h->alignment)
		h->alignment = 8;
	return h->layout_at >= 0 && vm_constant(t, "Klass::_lh_instance_slow_path_bit", &h->slow_path_bit) &&
	       vm_constant(t, "Klass::_lh_header_size_shift", &h->header_shift) &&
	       vm_constant(t, "Klass::_lh_header_size_mask", &h->header_mask) &&
	       vm_constant(t, "Klass::_lh_log2_element_size_shift", &h->element_shift) &&
	       vm_constant(t, "Klass::_lh_log2_element_size_mask", &h->element_mask) && h->header_shift >= 0 &&
	       h->header_shift < 32 && h->element_shift >= 0 && h->element_shift < 32;
}

/* Did no object move between time_ns and now, as far as we know? */
static bool stayed(struct alloc_heap *h, uint64_t time_ns)
{
	uint32_t collections;

	if (!oops_begin(&h->oops, &collections))
		return false;
	if (!h->since_ns || collections != h->collections) {
		h->collections = collections;
		h->since_ns = monotonic_ns();
	}
	return time_ns >= h->since_ns;
}

struct alloc_heap *alloc_heap_open(int pid, const char **why)
{
	struct alloc_heap *h = xcalloc(1, sizeof(*h));

	if (!jvm_open(&h->jvm, pid, why) && !oops_init(&h->oops, &h->jvm, why)) {
		*why = "its tables do not say how large objects are";
		if (alloc_heap_find_layout(h)) {
			stayed(h, 0);
			return h;
		}
	}
	alloc_heap_free(h);
	return NULL;
}

void alloc_heap_free(struct alloc_heap *h)
{
	if (!h)
		return;
	jvm_close(&h->jvm);
	free(h);
}

static uint64_t length_of(const struct alloc_heap *h, const uint8_t header[OOP_HEADER_BYTES])
{
	uint32_t length;

	memcpy(&length, header + (h->oops.compact ? 8 : h->oops.compressed_klass ? 12 : 16), sizeof(length));
	return length;
}

bool alloc_heap_object(struct alloc_heap *h, uint64_t address, uint64_t time_ns, uint64_t *klass, uint64_t *bytes)
{
	uint8_t header[OOP_HEADER_BYTES];
	int32_t layout;

	if (!remote_read(&h->jvm.remote, address, header, sizeof(header)) || !stayed(h, time_ns))
		return false;
	*klass = oop_klass(&h->oops, header);
	if (!*klass || !remote_i32(&h->jvm.remote, *klass + (uint64_t)h->layout_at, &layout) || !layout)
		return false;
	if (layout > 0) {
		*bytes = (uint64_t)(layout & ~h->slow_path_bit);
		return true;
	}
	*bytes = ((uint64_t)layout >> h->header_shift & (uint64_t)h->header_mask) +
		 (length_of(h, header) << ((uint32_t)layout >> h->element_shift & (uint32_t)h->element_mask & 31));
	*bytes = (*bytes + h->alignment - 1) / h->alignment * h->alignment;
	return true;
}
