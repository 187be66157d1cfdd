/* native_alloc: "collect alloc --native": allocations by malloc() and similar functions, sampled by bytes
 * (bpf/native_alloc.h), with whole stacks.  The source of "collect alloc" calls these functions. */
#ifndef COLLECT_ALLOC_NATIVE_ALLOC_H
#define COLLECT_ALLOC_NATIVE_ALLOC_H

#include <stdbool.h>
#include <stdint.h>

struct collection;
struct walked_sample;

enum { NATIVE_ALLOC_INTERVAL = 512 << 10, NATIVE_ALLOC_STACK_BYTES = 32768 };

/* Take one sample per `interval` bytes on average, with stack_bytes of its stack, and pass it to made(), which
 * calls native_alloc_weigh().  Returns 0, or -1 after a message. */
int native_alloc_prepare(struct collection *c, uint64_t interval, uint32_t stack_bytes,
			 bool (*made)(void *self, struct walked_sample *s));

/* Set the weight of s: bytes, and objects.  Called by the walker's thread.  Returns false if s is not a native
 * allocation. */
bool native_alloc_weigh(struct walked_sample *s);

/* These do the same as the functions of struct source. */
int native_alloc_start(struct collection *c);
int native_alloc_drain(struct collection *c);
void native_alloc_stop(struct collection *c);
void native_alloc_free(void);

#endif
