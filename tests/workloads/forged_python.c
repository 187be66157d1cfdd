/* forged_python: a program that has what an interpreter of CPython 3.11 has, and fills it with lies, by its argument:
 *
 *   cycle    the innermost frame is its own caller, and its function's name says that it has 2^30 characters
 *   threads  the list of threads is a circle without this thread
 *   wild     frames, code and names are at addresses where nothing is mapped, or in the kernel
 *   names    names with markup, control characters and frames' separators
 *
 * It runs in _PyEval_EvalFrameDefault() until it is killed.  Run a copy that is called python3.11. */
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { FRAMES = 4 };

uint64_t PyCode_Type[64], PyUnicode_Type[64], PyDict_Type[64], PyBytes_Type[64];
const uint64_t Py_Version = 0x030b02f0;

struct text {
	uint64_t references, type, length, hash;
	uint32_t state;
	char more[12];
	char characters[64];
};

/* Include/internal, as of 3.11 */
union frame {
	uint64_t words[10];
	struct {
		uint64_t function, globals, builtins, locals, code, object, previous, instruction;
		int32_t top;
		char is_entry, owner;
	};
};

static struct text name = { .type = (uint64_t)PyUnicode_Type, .hash = 4711, .state = 1 << 2 | 1 << 5 | 1 << 6 };
static uint64_t code[64] = { [1] = (uint64_t)PyCode_Type };
static union frame frames[FRAMES];
static uint64_t cframe[4], state[64], other[64], interpreter[64];
uint64_t _PyRuntime[64];

static volatile uint64_t sum;

int _PyEval_EvalFrameDefault(void)
{
	for (;;)
		sum += sum * 3 + 1;
}

/* A chain of frames of one function, whose name is text. */
static void forge(const char *text, uint64_t length)
{
	strcpy(name.characters, text);
	name.length = length;
	code[112 / 8] = code[120 / 8] = code[128 / 8] = (uint64_t)&name;
	for (int i = 0; i < FRAMES; i++) {
		frames[i].code = (uint64_t)code;
		frames[i].instruction = (uint64_t)code + 200;
		frames[i].previous = i + 1 < FRAMES ? (uint64_t)&frames[i + 1] : 0;
		frames[i].is_entry = i + 1 == FRAMES;
	}
	_PyRuntime[40 / 8] = (uint64_t)interpreter;
	interpreter[16 / 8] = (uint64_t)state;
	state[16 / 8] = (uint64_t)interpreter;
	state[56 / 8] = (uint64_t)cframe;
	state[152 / 8] = (uint64_t)pthread_self();
	cframe[1] = (uint64_t)frames;
}

int main(int argc, char **argv)
{
	const char *how = argc > 1 ? argv[1] : "";

	forge("honest", strlen("honest"));
	if (!strcmp(how, "cycle")) {
		frames[0].previous = (uint64_t)frames;
		name.length = 1 << 30;
	} else if (!strcmp(how, "threads")) {
		state[152 / 8] = other[152 / 8] = 1;
		state[1] = (uint64_t)other;
		other[1] = (uint64_t)state;
	} else if (!strcmp(how, "wild")) {
		frames[1].code = 0xffff888000000000;
		frames[2].code = 16;
		frames[2].previous = 0xdeadbeef000;
		frames[3].globals = 0x7ffffffff000;
	} else if (!strcmp(how, "names")) {
		forge("<b>;\n\033[31mx _[k]", strlen("<b>;\n\033[31mx _[k]"));
	}
	puts("ready");
	fflush(stdout);
	return _PyEval_EvalFrameDefault();
}
