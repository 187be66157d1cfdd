#include "collect/alloc/alloc_signature.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "core/str.h"

enum { ARGUMENTS_MAX = 16 };

/* The kind of an argument, as far as it matters. */
enum kind { KIND_OTHER, KIND_KLASS, KIND_SIZE, KIND_THREAD };

struct parameters {
	enum kind list[ARGUMENTS_MAX];
	int count;
};

/* Reads a name, "5Klass", and sets *at to what follows; false if it is not a name. */
static bool alloc_signature_read_name(const char **at, const char **name, size_t *len)
{
	char *end;
	unsigned long n;

	if (**at < '1' || **at > '9')
		return false;
	n = strtoul(*at, &end, 10);
	if (n > strlen(end))
		return false;
	*name = end;
	*len = n;
	*at = end + n;
	return true;
}

static bool alloc_signature_is_name(const char *name, size_t len, const char *wanted)
{
	return len == strlen(wanted) && !memcmp(name, wanted, len);
}

/* Skips "S_", "S0_": a type that was named earlier. */
static bool skip_substitution(const char **at)
{
	size_t len = 1 + strspn(*at + 1, "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ");

	if ((*at)[len] != '_')
		return false;
	*at += len + 1;
	return true;
}

/* Reads a type: "P5Klass", "11KlassHandle", "m", "PKc", "S1_". */
static bool alloc_signature_read_type(const char **at, enum kind *kind)
{
	bool is_pointer = **at == 'P' || **at == 'R';
	const char *name;
	size_t len;

	*kind = KIND_OTHER;
	*at += strspn(*at, "PRK");
	if (alloc_signature_read_name(at, &name, &len)) {
		if (is_pointer ? alloc_signature_is_name(name, len, "Klass")
			       : alloc_signature_is_name(name, len, "KlassHandle"))
			*kind = KIND_KLASS;
		else if (is_pointer && (alloc_signature_is_name(name, len, "JavaThread") ||
					alloc_signature_is_name(name, len, "Thread")))
			*kind = KIND_THREAD;
		return is_pointer || *kind == KIND_KLASS; /* a structure: how it is passed is unknown */
	}
	if (**at == 'S')
		return skip_substitution(at);
	if (!strchr("abchijlmstxyv", **at) || !**at)
		return false; /* doubles are not in general registers; other types do not occur */
	if (!is_pointer && strchr("my", **at))
		*kind = KIND_SIZE;
	(*at)++;
	return true;
}

static bool read_parameters(const char *at, struct parameters *p)
{
	for (p->count = 0; *at; p->count++) {
		if (p->count == ARGUMENTS_MAX || !alloc_signature_read_type(&at, &p->list[p->count]))
			return false;
	}
	return true;
}

/* The index of the nth argument of a kind; -1: there are fewer. */
static int alloc_signature_find(const struct parameters *p, enum kind kind, int nth)
{
	for (int i = 0; i < p->count; i++) {
		if (p->list[i] == kind && !nth--)
			return i;
	}
	return -1;
}

bool alloc_signature_read(struct alloc_signature *s, const char *mangled)
{
	struct parameters p;
	bool in_tlab;
	const char *name;
	size_t len;

	if (strncmp(mangled, "_ZN", 3))
		return false;
	mangled += 3;
	if (!alloc_signature_read_name(&mangled, &name, &len) || !alloc_signature_is_name(name, len, "AllocTracer") ||
	    !alloc_signature_read_name(&mangled, &name, &len) || *mangled++ != 'E')
		return false;
	in_tlab = text_begins(name, len, "send_allocation_in_new_tlab");
	if ((!in_tlab && !text_begins(name, len, "send_allocation_outside_tlab")) || !read_parameters(mangled, &p))
		return false;
	s->klass = alloc_signature_find(&p, KIND_KLASS, 0);
	s->tlab = in_tlab ? alloc_signature_find(&p, KIND_SIZE, 0) : -1;
	s->thread = alloc_signature_find(&p, KIND_THREAD, 0);
	s->size = alloc_signature_find(&p, KIND_SIZE, in_tlab ? 1 : 0);
	return s->klass >= 0 && s->size >= 0 && alloc_signature_find(&p, KIND_SIZE, in_tlab ? 2 : 1) < 0;
}

int alloc_argument_register(int argument)
{
#if defined(__x86_64__)
	/* asm/perf_regs.h: DI, SI, DX, CX, R8, R9 (System V ABI) */
	static const int numbers[] = { 5, 4, 3, 2, 16, 17 };
#elif defined(__aarch64__)
	static const int numbers[] = { 0, 1, 2, 3, 4, 5, 6, 7 };
#else
	static const int numbers[] = { -1 };
#endif
	return argument >= 0 && (size_t)argument < sizeof(numbers) / sizeof(*numbers) ? numbers[argument] : -1;
}
