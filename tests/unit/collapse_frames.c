/* Which function of a stack is the user's: collapse/cause/frames.h, with the table core/symbols/names/runtimes.js. */
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "collapse/cause/frames.h"
#include "collapse/cause/function_text.h"
#include "core/memory.h"
#include "core/str.h"
#include "tests/unit/check.h"

#define LIBC "/usr/lib/x86_64-linux-gnu/libc.so.6`"
#define JVM "/usr/lib/jvm/java-17-openjdk-amd64/lib/server/libjvm.so`"
#define PY "/usr/bin/python3.12`"
#define PYMAP "/tmp/perf-7.map`py::"
#define NODE "/usr/bin/node`"
#define JS "/tmp/perf-8.map`JS:"
#define GO "/srv/api`"
#define APP "/srv/app`"

enum { LONGEST = 24 };

/* Stacks, outermost first, as FILE`FUNCTION; "+0x..." is a function without a name. */
static const struct {
	const char *wanted, *stack[LONGEST];
} cases[] = {
	{ "main.main.func2 > main.rebuild",
	  { GO "runtime.goexit.abi0", GO "main.main.func2", GO "main.rebuild", GO "os.(*File).Write",
	    GO "internal/poll.(*FD).Write", GO "syscall.write", GO "syscall.RawSyscall6",
	    GO "runtime/internal/syscall.Syscall6", "kernel`vfs_write" } },
	{ "main.rank",
	  { GO "runtime.main", GO "main.main", GO "main.rank", GO "sort.Slice", GO "sort.heapSort_func" } },
	{ "github.com/x/desk.(*Desk).Save",
	  { GO "net/http.(*conn).serve", GO "net/http.HandlerFunc.ServeHTTP", GO "github.com/x/desk.(*Desk).Save",
	    GO "encoding/json.Marshal" } },
	{ "runtime.gcBgMarkWorker.func2 > runtime.gcDrain",
	  { GO "runtime.systemstack.abi0", GO "runtime.gcBgMarkWorker.func2", GO "runtime.gcDrain" } },
	{ "time.Order", { APP "main", APP "time.Order" } }, /* none of Go is near */
	{ "sort.part.0", { APP "main", APP "sort.part.0" } },

	{ "py::<module>:/srv/desk.py > py::save_orders:/srv/desk.py",
	  { PY "_start", LIBC "__libc_start_call_main", PY "main", PY "Py_BytesMain", PY "_PyEval_EvalFrameDefault",
	    PY "py_trampoline_evaluator", PYMAP "<module>:/srv/desk.py", PY "py_trampoline_evaluator",
	    PYMAP "save_orders:/srv/desk.py", PY "_PyEval_EvalFrameDefault",
	    "/usr/lib/python3.12/lib-dynload/_sqlite3.cpython-312-x86_64-linux-gnu.so`connection_exec_stmt",
	    "/usr/lib/x86_64-linux-gnu/libsqlite3.so.0`sqlite3_step" } },
	{ "py::poll:/srv/desk.py",
	  { PYMAP "Thread._bootstrap:/usr/lib/python3.12/threading.py", PYMAP "poll:/srv/desk.py",
	    PYMAP "get:/srv/venv/lib/python3.12/site-packages/requests/api.py",
	    PYMAP "read:/usr/lib/python3.12/socket.py",
	    "/srv/venv/lib/python3.12/site-packages/_fast.so`fast_parse" } },
	{ "py::main:/usr/lib/python3/dist-packages/mercurial/dispatch.py",
	  { PYMAP "main:/usr/lib/python3/dist-packages/mercurial/dispatch.py", PYMAP "<module>:<frozen runpy>" } },
	{ "py::<module>:/srv/desk.py > fast_sum",
	  { PYMAP "<module>:/srv/desk.py", PY "cfunction_call",
	    "/srv/fast.cpython-312-x86_64-linux-gnu.so`fast_sum" } },
	{ "list_sort_impl",
	  { PY "main", PY "_PyEval_EvalFrameDefault", PY "list_sort_impl", LIBC "__memcpy_avx_unaligned" } },
	{ "builtin_sorted",
	  { PY "_PyEval_EvalFrameDefault", PY "PyObject_Vectorcall", PY "_PyEval_EvalFrameDefault",
	    PY "cfunction_vectorcall_FASTCALL_KEYWORDS", PY "builtin_sorted", PY "PyObject_Vectorcall",
	    PY "list_sort", PY "merge_at" } },
	{ "_PyEval_EvalFrameDefault",
	  { PY "main", PY "_PyEval_EvalFrameDefault", PY "_PyEval_Vector", PY "_PyEval_EvalFrameDefault",
	    PY "_PyObject_MakeTpCall" } },
	{ "pymain_run_python > take_gil", { PY "Py_RunMain", PY "pymain_run_python", PY "take_gil" } },

	{ "JS:*handle /srv/app.js:7",
	  { NODE "main", NODE "node::Start", NODE "uv_run", NODE "uv__read", NODE "OnUvRead",
	    NODE "non-virtual thunk to node::Callback", NODE "Builtins_JSEntry", JS "^emit node:events:508:44",
	    JS "*handle /srv/app.js:7", JS "*writeSync node:fs:900:19", "/tmp/perf-8.map`Builtin:CallFunction",
	    NODE "node::fs::WriteString", LIBC "__GI___libc_write" } },
	{ "JS:~answer /srv/app.js:3",
	  { NODE "Builtins_JSEntry", JS "~answer /srv/app.js:3", JS "*parse /srv/node_modules/qs/lib/parse.js:1" } },
	{ "Builtins_JSEntry > Builtins_ArrayMap",
	  { LIBC "__libc_start_call_main", NODE "node::Start", NODE "Builtins_JSEntry", NODE "Builtins_ArrayMap" } },

	{ "compile_file > cgraph_node::expand",
	  { LIBC "__libc_start_call_main", "/usr/lib/gcc/cc1`compile_file", "/usr/lib/gcc/cc1`cgraph_node::expand" } },

	{ "com.example.Desk.run > com.example.Desk.rebuildCache",
	  { LIBC "start_thread", JVM "thread_native_entry", JVM "JavaCalls::call_helper", "[java]`java.lang.Thread.run",
	    "[java]`com.example.Desk.run", "[java]`com.example.Desk.rebuildCache", "[java]`java.util.HashMap.resize",
	    JVM "ObjArrayAllocator::initialize", LIBC "__memset_avx2_unaligned_erms" } },
	{ "C2Compiler::compile_method > PhaseChaitin::Split",
	  { LIBC "start_thread", JVM "JavaThread::run", JVM "C2Compiler::compile_method", JVM "PhaseChaitin::Split",
	    LIBC "__memcpy_avx_unaligned" } },
	{ "com.example.Desk.run",
	  { "/tmp/perf-9.map`Interpreter", "/tmp/perf-9.map`com.example.Desk.run", "/tmp/perf-9.map`vtable stub" } },

	{ "sort+0x2cf0 > sort+0x37d0",
	  { "/usr/bin/sort`_start", LIBC "__libc_start_main@@GLIBC_2.34", "/usr/bin/sort`+0x2cf0",
	    "/usr/bin/sort`+0x37d0", LIBC "__memcmp_avx2_movbe" } },
	{ "[sort]",
	  { "/usr/bin/sort`_start", LIBC "__libc_start_main@@GLIBC_2.34", "/usr/bin/sort`+",
	    LIBC "__GI___libc_write" } },
	{ "puts > __GI___libc_write", { APP "_start", LIBC "start_thread", LIBC "puts", LIBC "__GI___libc_write" } },
	{ "do_sys_openat2", { APP "_start", "kernel`do_sys_openat2" } },
	{ "none", { APP "_start" } },
	{ "main", { LIBC "__libc_start_call_main", APP "main", LIBC "printf" } },
	{ "read_all > read", { APP "main", APP "read_all", APP "read" } },
	{ "rank_orders",
	  { APP "main", APP "rank_orders", APP "std::__introsort_loop<int*>", APP "operator new(unsigned long)" } },
	{ "load_orders", { APP "load_orders", APP "sqlite3_step", APP "sqlite3VdbeExec" } },
	{ "PostgresMain > exec_simple_query",
	  { "/usr/lib/postgresql/15/bin/postgres`PostgresMain", "/usr/lib/postgresql/15/bin/postgres`exec_simple_query",
	    LIBC "__memcmp_avx2_movbe" } },
	{ "toplev_main > grokdeclarator",
	  { "/usr/libexec/gcc/x86_64-linux-gnu/13/cc1`toplev_main",
	    "/usr/libexec/gcc/x86_64-linux-gnu/13/cc1`grokdeclarator" } },
};

static enum module_kind kind_of(const char *path)
{
	if (!strcmp(path, "kernel"))
		return MODULE_KERNEL;
	return !strcmp(path, "[java]") || !strncmp(path, "/tmp/perf-", 10) ? MODULE_JIT : MODULE_ELF;
}

/* Add the place of one FILE`FUNCTION; returns the number of its frame. */
static uint32_t add_place(struct places *places, struct modules *modules, const char *frame)
{
	const char *tick = strchr(frame, '`');
	char *path = xstrndup(frame, (size_t)(tick - frame));
	struct place *p;
	enum module_kind kind = kind_of(path);

	places->items = xgrow(places->items, &places->cap, places->count + 1, sizeof(*places->items));
	p = &places->items[places->count];
	*p = (struct place){ .address = places->count, .module = modules_add(modules, kind, path, "-", 0) };
	if (tick[1] == '+')
		p->function = strtoull(tick + 1, NULL, 16);
	else
		p->name = tick + 1;
	free(path);
	return (uint32_t)places->count++ << FRAME_PLACE_SHIFT | (kind == MODULE_KERNEL ? FRAME_KERNEL : 0);
}

/* "main > serve", or "none". */
static void add_answer(struct str *out, const struct names *names, struct frames_function function)
{
	str_clear(out);
	if (function.text == UINT32_MAX) {
		str_puts(out, "none");
		return;
	}
	if (function.caller != UINT32_MAX)
		str_addf(out, "%s > ", intern_text(&names->texts, function.caller));
	str_puts(out, intern_text(&names->texts, function.text));
}

static void whose_function(void)
{
	struct str answer = { 0 };

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct modules modules = { 0 };
		uint32_t own[LONGEST], count = 0;
		struct stack stack = { .frames = own };
		struct stacks stacks = { .items = &stack, .count = 1 };
		struct name_style style = { 0 };
		struct names names = { .style = &style, .modules = &modules, .places = &stacks.places };
		struct cause_frames frames = { .stacks = &stacks, .names = &names };

		modules_init(&modules);
		while (count < LONGEST && cases[i].stack[count])
			count++;
		for (uint32_t k = 0; k < count; k++)
			own[count - 1 - k] = add_place(&stacks.places, &modules, cases[i].stack[k]);
		stack.frame_count = count;
		add_answer(&answer, &names, frames_function(&frames, 0));
		CHECK_TEXT(str_text(&answer), cases[i].wanted);
		frames_free(&frames);
		names_free(&names);
		places_free(&stacks.places);
		modules_free(&modules);
	}
	str_free(&answer);
}

/* Names of functions in sentences. */
static void in_words(void)
{
	static const char *const rows[][2] = {
		{ "write", LIBC "__GI___libc_write" },
		{ "write", LIBC "__write" },
		{ "__do_work", APP "__do_work" },
		{ "handle (app.js:7)", JS "*handle /srv/app.js:7:16" },
		{ "anonymous (app.js:7)", JS "~ /srv/app.js:7:16" },
		{ "get name (a.js:1)", "/tmp/perf-8.map`LazyCompile:~get name /srv/a.js:1" },
		{ "save_orders (desk.py)", PYMAP "save_orders:/srv/desk.py" },
		{ "<module> (desk.py)", PYMAP "<module>:/srv/desk.py" },
		{ "JS:odd", JS "odd" },
		{ "main.rebuild", GO "main.rebuild" },
	};
	struct str out = { 0 };

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct modules modules = { 0 };
		struct places places = { 0 };
		struct name_style style = { 0 };
		struct names names = { .style = &style, .modules = &modules, .places = &places };
		uint32_t frame;

		modules_init(&modules);
		frame = add_place(&places, &modules, rows[i][1]);
		str_clear(&out);
		function_text_add(&names, names_of(&names, frame).items[0], &out);
		CHECK_TEXT(str_text(&out), rows[i][0]);
		names_free(&names);
		places_free(&places);
		modules_free(&modules);
	}
	str_free(&out);
}

/* The remark on a function without a name in /usr/bin/sort, if the file has that inode. */
static void stripped_words(uint64_t inode, const char *wanted)
{
	struct modules modules = { 0 };
	struct places places = { 0 };
	struct name_style style = { 0 };
	struct names names = { .style = &style, .modules = &modules, .places = &places };
	struct stripped stripped = { 0 };
	struct str out = { 0 };
	uint32_t frame, text;

	modules_init(&modules);
	frame = add_place(&places, &modules, "/usr/bin/sort`+0x37d0");
	places.items[0].module = modules_add_mapping(&modules, "/usr/bin/sort", NULL, 0, 8, 1, inode, true, 0);
	text = names_of(&names, frame).items[0];
	for (int i = 0; i < 2; i++) { /* the second time it is known */
		str_clear(&out);
		stripped_tell(&stripped, &names, text, &out);
		CHECK_TEXT(str_text(&out), wanted);
	}
	stripped_free(&stripped);
	str_free(&out);
	names_free(&names);
	places_free(&places);
	modules_free(&modules);
}

static void stripped_code(void)
{
	struct stat st;

	if (stat("/usr/bin/sort", &st) < 0 || access("/var/lib/dpkg/info/coreutils.list", R_OK) < 0)
		return;
	stripped_words(st.st_ino, " (no symbols: install coreutils-dbgsym)");
	stripped_words(st.st_ino + 1, " (no symbols)"); /* another file: of a container, perhaps */
}

int main(void)
{
	whose_function();
	stripped_code();
	in_words();
	return check_done();
}
