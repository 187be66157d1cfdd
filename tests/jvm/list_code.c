/* list_code PID [scopes]: lists the code cache of a JVM, with a line for each piece:
 *
 *     compiled|native|interpreter|call_stub|stub COMPILE_ID LEVEL START CODE_BEGIN CODE_END FRAME_SIZE NAME
 *
 *     entered at its beginning|inside CODELET
 *
 * for the codelet by which the interpreter enters a compiled method.  With scopes, a line follows for each address of
 * compiled code that has debug information:
 *
 *     at PC COMPILE_ID INNERMOST@BCI ... OUTERMOST@BCI */
#include <stdio.h>
#include <stdlib.h>

#include "collect/jvm/code_cache.h"
#include "collect/jvm/code_heaps.h"
#include "collect/jvm/methods.h"
#include "collect/jvm/scopes.h"

enum { SEGMENT_MIN = 64 };

static struct java_methods *methods;
static struct scope_reader *reader;

static const char *name_of(uint64_t method)
{
	struct java_method m;

	return java_method(methods, method, &m) ? m.name : "?";
}

static void print_blob(const struct code_blob *b)
{
	static const char *kinds[] = { "compiled", "native", "interpreter", "call_stub", "stub" };

	printf("%s %d %d %#jx %#jx %#jx %u ", kinds[b->kind], b->compile_id, b->level, (uintmax_t)b->start,
	       (uintmax_t)b->code_begin, (uintmax_t)b->code_end, b->frame_size);
	printf("%s\n", b->method ? name_of(b->method) : b->name);
}

static void print_entry(const struct jvm *jvm, struct code_cache *c, const struct code_blob *b)
{
	int64_t at = vm_offset(jvm->tables, "Method", "_i2i_entry");
	uint64_t entry = 0;

	remote_u64(&jvm->remote, b->method + (uint64_t)at, &entry);
	b = code_cache_find(c, entry);
	if (b)
		printf("entered %s %s\n", b->code_begin == entry ? "at its beginning" : "inside", b->name);
}

static void print_scopes(const struct code_blob *b)
{
	struct scope scopes[SCOPES_MAX];
	size_t count;

	for (uint64_t pc = b->code_begin; pc < b->code_end; pc++) {
		count = scopes_at(reader, b, pc, false, scopes);
		if (count == 1 && scopes[0].bci < 0)
			continue;
		printf("at %#jx %d", (uintmax_t)pc, b->compile_id);
		for (size_t i = 0; i < count; i++)
			printf(" %s@%d", name_of(scopes[i].method), scopes[i].bci);
		printf("\n");
	}
}

static void list_heap(const struct jvm *jvm, struct code_cache *c, const struct code_heap *h)
{
	const struct code_blob *b, *last = NULL;

	for (uint64_t pc = h->low; pc < h->high; pc += 8) {
		b = code_cache_find(c, pc);
		if (!b) {
			pc |= SEGMENT_MIN - 8; /* a step of one segment, since nothing begins within a segment; each
					        * step reads from the JVM */
			continue;
		}
		if (b != last)
			print_blob(b);
		if (b != last && b->kind == CODE_COMPILED)
			print_entry(jvm, c, b);
		if (b != last && b->kind == CODE_COMPILED && reader)
			print_scopes(b);
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

	if (argc < 2 || jvm_open(&jvm, atoi(argv[1]), &why) < 0 || !code_heaps_init(&heaps, &jvm, &why))
		return 1;
	c = code_cache_new(&jvm, &why);
	methods = java_methods_new(&jvm, &why);
	if (argc > 2)
		reader = scope_reader_new(&jvm, false, &why);
	if (!c || !methods || (argc > 2 && !reader)) {
		fprintf(stderr, "%s\n", why);
		return 1;
	}
	code_heaps_read(&heaps);
	for (size_t i = 0; i < heaps.count; i++)
		list_heap(&jvm, c, &heaps.list[i]);
	scope_reader_free(reader);
	java_methods_free(methods);
	code_cache_free(c);
	jvm_close(&jvm);
	return 0;
}
