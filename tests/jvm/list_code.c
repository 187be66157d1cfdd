/* list_code PID: what is in the code cache of a JVM, a line for each piece:
 *
 *     compiled|native|interpreter|call_stub|stub COMPILE_ID LEVEL START CODE_BEGIN CODE_END FRAME_SIZE NAME|METHOD  */
#include <stdio.h>
#include <stdlib.h>

#include "collect/jvm/code_cache.h"
#include "collect/jvm/code_heaps.h"

static void print_blob(const struct code_blob *b)
{
	static const char *kinds[] = { "compiled", "native", "interpreter", "call_stub", "stub" };

	printf("%s %d %d %#jx %#jx %#jx %u ", kinds[b->kind], b->compile_id, b->level, (uintmax_t)b->start,
	       (uintmax_t)b->code_begin, (uintmax_t)b->code_end, b->frame_size);
	if (b->method)
		printf("%#jx\n", (uintmax_t)b->method);
	else
		printf("%s\n", b->name);
}

static void list_heap(struct code_cache *c, const struct code_heap *h)
{
	const struct code_blob *b, *last = NULL;

	for (uint64_t pc = h->low; pc < h->high; pc += 8) {
		b = code_cache_find(c, pc);
		if (!b)
			continue;
		if (b != last)
			print_blob(b);
		last = b;
		if (b->method)
			pc = b->code_end;
	}
}

int main(int argc, char **argv)
{
	struct code_heaps heaps;
	struct code_cache *c;
	struct jvm jvm;
	const char *why;

	if (argc != 2 || jvm_open(&jvm, atoi(argv[1]), &why) < 0 || !code_heaps_init(&heaps, &jvm, &why))
		return 1;
	c = code_cache_new(&jvm, &why);
	if (!c) {
		fprintf(stderr, "%s\n", why);
		return 1;
	}
	code_heaps_read(&heaps);
	for (size_t i = 0; i < heaps.count; i++)
		list_heap(c, &heaps.list[i]);
	code_cache_free(c);
	jvm_close(&jvm);
	return 0;
}
