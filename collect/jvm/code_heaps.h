/* code_heaps: the heaps of the code cache, in which blocks are allocated (hotspot/share/memory/heap.hpp): one up to JDK
 * 8, up to three from 9 on.
 *
 * A heap is divided into segments of equal size, and a map has a byte for each segment: 0xff is free, 0 begins a block,
 * and other values say how many segments to go back towards the beginning of the block:
 *
 *     blocks   [HeapBlock CodeBlob ............ ][HeapBlock nmethod ..... ][free ]
 *     map       0    1    2    3   ..  0xfe  1    0    1    2    3    4    ff  ff */
#ifndef COLLECT_JVM_CODE_HEAPS_H
#define COLLECT_JVM_CODE_HEAPS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "collect/jvm/code_blob.h"
#include "collect/jvm/jvm.h"

enum { CODE_HEAPS_MAX = 16, LOG2_SEGMENT_MIN = 6, LOG2_SEGMENT_MAX = 16 };

struct code_heap {
	uint64_t low, high; /* the committed part */
	uint64_t end;       /* end of the reserved part */
	uint64_t map, map_end;
	unsigned log2_segment;
};

struct code_heaps {
	const struct jvm *jvm;
	struct code_heap list[CODE_HEAPS_MAX];
	size_t count;
	uint64_t low, end; /* bounds of all heaps */
	/* Where to read: addresses and offsets. */
	uint64_t list_at; /* CodeCache::_heaps, GrowableArray<CodeHeap*>* */
	uint64_t only_at; /* CodeCache::_heap, CodeHeap* */
	struct blob_field list_len, list_data, memory, map, low_at, high_at, end_at, log2_segment, length, used;
	uint64_t block_header;
};

/* Returns false, and *why, if the tables lack what is needed.  Reads no heap yet. */
bool code_heaps_init(struct code_heaps *h, const struct jvm *jvm, const char **why);

/* Read the heaps again, since they grow.  If the JVM has ended, those read before stay. */
void code_heaps_read(struct code_heaps *h);

/* The heap whose reserved range contains address; NULL: none. */
const struct code_heap *code_heaps_at(const struct code_heaps *h, uint64_t address);

/* Start of the block that contains address; 0: none. */
uint64_t code_heaps_block(const struct code_heaps *h, uint64_t address);

struct code_block {
	uint64_t start, end;
	uint64_t blob;                   /* address of its content */
	uint8_t header[BLOB_HEADER_MAX]; /* first bytes of the content */
};

/* Read the block at start, and size bytes of its content.  Returns false if no block begins at start, or the block
 * is free. */
bool code_heaps_read_block(const struct code_heaps *h, uint64_t start, size_t size, struct code_block *block);

#endif
