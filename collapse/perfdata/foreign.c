#include "collapse/perfdata/foreign.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "collapse/input/input.h"
#include "core/decimal.h"
#include "core/error.h"
#include "core/str.h"

/* --- profiles of other tools ------------------------------------------------------------ */

/* Files that collapse does not read, recognised by their beginning or contents; and what to do with them. */

/* How much of a file is searched for text that need not be at its beginning. */
enum { LOOKED_AT = 1 << 16 };

#define RECORD_STACKS "record stacks, with pyrograph collect cpu or perf record -g"
#define NO_STACKS "has callers and callees, but no whole stacks: "
#define PERF_ITSELF "give collapse the perf.data file itself"
#define JVM_STACKS "record with JFR or async-profiler"

/* The legacy CPU profile of gperftools: words of 4 or 8 bytes, in either byte order, 0, 3, 0, the period in us, 0. */
static bool is_gperftools(const uint8_t *bytes, size_t size)
{
	for (size_t width = 4; width <= 8 && size >= 5 * width; width += 4) {
		for (size_t three = 0; three < width; three += width - 1) {
			uint8_t head[24] = { 0 };

			head[width + three] = 3;
			if (!memcmp(bytes, head, 3 * width) && memcmp(bytes + 3 * width, head, width) != 0 &&
			    !memcmp(bytes + 4 * width, head, width))
				return true;
		}
	}
	return false;
}

/* Is there a line that begins with start? */
static bool has_line(const uint8_t *bytes, size_t size, const char *start)
{
	size_t len = strlen(start);

	for (const uint8_t *at = bytes, *end = bytes + size; (at = memmem(at, (size_t)(end - at), start, len)); at++) {
		if (at == bytes || at[-1] == '\n')
			return true;
	}
	return false;
}

static bool foreign_profiles_has_text(const uint8_t *bytes, size_t size, const char *text)
{
	return memmem(bytes, size, text, strlen(text)) != NULL;
}

/* A dump of stackprof: JSON, or a hash in Ruby's Marshal format 4.8. */
static bool is_stackprof(const uint8_t *bytes, size_t size)
{
	if (text_begins(bytes, size, "\x04\x08{"))
		return foreign_profiles_has_text(bytes, size, "missed_samples");
	return text_begins(bytes, size, "{") && foreign_profiles_has_text(bytes, size, "\"missed_samples\"") &&
	       foreign_profiles_has_text(bytes, size, "\"mode\"");
}

/* A dictionary in Python's marshal format, whose keys are tuples of file, line and function. */
static bool is_pstats(const uint8_t *bytes, size_t size)
{
	bool is_dictionary = size > 4 && (bytes[0] & 0x7f) == '{';
	bool is_small = is_dictionary && (bytes[1] & 0x7f) == ')' && bytes[2] == 3;

	return is_small || (is_dictionary && (bytes[1] & 0x7f) == '(' && bytes[2] == 3 && !bytes[3] && !bytes[4]);
}

/* The type of an ELF file, 4 for a core dump; 0: the file is not ELF. */
static unsigned elf_type(const uint8_t *bytes, size_t size)
{
	enum { DATA = 5, TYPE = 16, BIG_ENDIAN_DATA = 2 };

	if (size < TYPE + 2 || memcmp(bytes, "\177ELF", 4) != 0)
		return 0;
	return bytes[DATA] == BIG_ENDIAN_DATA ? bytes[TYPE] * 256u + bytes[TYPE + 1]
					      : bytes[TYPE + 1] * 256u + bytes[TYPE];
}

static bool is_core(const uint8_t *bytes, size_t size)
{
	return elf_type(bytes, size) == 4;
}

static bool foreign_profiles_is_program(const uint8_t *bytes, size_t size)
{
	return elf_type(bytes, size) != 0;
}

static bool is_tar(const uint8_t *bytes, size_t size)
{
	enum { MAGIC_AT = 257 };

	return size > MAGIC_AT + 5 && !memcmp(bytes + MAGIC_AT, "ustar", 5);
}

static bool is_html(const uint8_t *bytes, size_t size)
{
	return text_begins(bytes, size, "<!DOCTYPE html") || text_begins(bytes, size, "<!doctype html") ||
	       text_begins(bytes, size, "<html") || text_begins(bytes, size, "<HTML");
}

/* A row applies if everything that it names is found: bytes at the beginning of the file, or of one of its first lines;
 * a text; the ending of the file's name; and what is() checks.  The first row that applies counts. */
struct foreign_row {
	const char *begin;
	size_t begin_len;
	const char *line, *has, *ending;
	bool (*is)(const uint8_t *bytes, size_t size);
	const char *what;
};

#define BEGINS(text) .begin = (text), .begin_len = sizeof(text) - 1

static const struct foreign_row rows[] = {
	/* Linux perf, ftrace */
	{ BEGINS("# To display the perf.data header info"), .what = "a report of perf: " PERF_ITSELF },
	{ .line = "# Overhead ", .what = "a report of perf: " PERF_ITSELF },
	{ .line = "# Children ", .what = "a report of perf: " PERF_ITSELF },
	{ .line = "# Baseline ", .what = "text of perf diff: " PERF_ITSELF },
	{ .line = " Percent |", .what = "text of perf annotate: " PERF_ITSELF },
	{ .line = " Performance counter stats for",
	  .what = "text of perf stat, which counts without stacks: " RECORD_STACKS },
	{ .has = "wait time  sch delay   run time", .what = "text of perf sched timehist: " PERF_ITSELF },
	{ .has = "| Avg delay ms ", .what = "text of perf sched latency: " PERF_ITSELF },
	{ .has = "\"linux-perf-json-version\"", .what = "a perf.data file as JSON: " PERF_ITSELF },
	{ BEGINS("\027\b\104tracing"),
	  .what = "a recording of trace-cmd, which collapse does not read: record with perf record -g -e EVENT" },
	{ BEGINS("# tracer: "),
	  .what = "text of ftrace, which collapse does not read: record with perf record -g -e EVENT" },
	{ BEGINS("cpus="),
	  .what = "text of trace-cmd report, which collapse does not read: record with perf record -g -e EVENT" },
	{ BEGINS("\xc1\x1f\xfc\xc1"),
	  .what = "a trace in the Common Trace Format (LTTng), which collapse does not read: " RECORD_STACKS },
	{ BEGINS("\xc1\xfc\x1f\xc1"),
	  .what = "a trace in the Common Trace Format (LTTng), which collapse does not read: " RECORD_STACKS },
	{ BEGINS("/* CTF "),
	  .what = "a trace in the Common Trace Format (LTTng), which collapse does not read: " RECORD_STACKS },
	{ .ending = ".perfetto-trace", .what = "a trace of Perfetto: convert it first, with traceconv json FILE OUT" },
	{ .ending = ".pftrace", .what = "a trace of Perfetto: convert it first, with traceconv json FILE OUT" },

	/* V8, browsers */
	{ BEGINS("v8-version,"),
	  .what = "a log of V8 (node --prof): give collapse what node --prof-process FILE prints" },
	{ BEGINS("{\"snapshot\":{\"meta\":"),
	  .what = "a snapshot of V8's heap, which has objects, but no stacks: record with node --heap-prof" },
	{ .has = "\"timeline-record-type-",
	  .what = "a timeline recording of Safari: open it in speedscope, and export it from there" },

	/* heaps, and programs that are simulated or instrumented */
	{ BEGINS("heap profile: "), .has = " @ heap/",
	  .what = "a heap profile of Go as text: fetch it without debug=1" },
	{ BEGINS("--- mutex:\n"), .what = "a profile of Go's locks as text: fetch it without debug=1" },
	{ BEGINS("--- contention:\n"), .what = "a profile of Go's locks as text: fetch it without debug=1" },
	{ BEGINS("go 1."), .has = " trace",
	  .what = "an execution trace of Go: convert it first, with go tool trace -pprof=sync FILE >sync.pb.gz (also "
		  "net, syscall, sched)" },
	{ .is = is_gperftools,
	  .what = "a CPU profile of gperftools: convert it first, with pprof -proto PROGRAM FILE >cpu.pb.gz" },
	{ BEGINS("heap profile: "),
	  .what = "a heap profile of gperftools: convert it first, with pprof -proto PROGRAM FILE >heap.pb.gz" },
	{ BEGINS("heap_v2/"),
	  .what = "a heap profile of jemalloc: convert it first, with jeprof --collapsed PROGRAM FILE" },
	{ BEGINS("v 1"), .has = "\nX ",
	  .what = "a recording of heaptrack: convert it first, with heaptrack_print FILE -F STACKS" },
	{ .line = "MOST CALLS TO ALLOCATION FUNCTIONS",
	  .what = "text of heaptrack_print: give collapse what heaptrack_print FILE -F STACKS writes" },
	{ BEGINS("desc: "), .line = "heap_tree=",
	  .what = "a profile of Massif: record with valgrind --tool=dhat, whose files collapse reads" },
	{ BEGINS("memray"),
	  .what = "a recording of memray, which collapse does not read: memray flamegraph FILE draws it" },
	{ BEGINS("# callgrind format"), .what = "a profile of Callgrind, which " NO_STACKS "open it in KCachegrind" },
	{ .line = "events: ",
	  .has = "\nfn=",
	  .what = "a profile of Callgrind, which " NO_STACKS "open it in KCachegrind" },
	{ BEGINS("gmon\1"), .what = "a profile of gprof, which " NO_STACKS RECORD_STACKS },
	{ BEGINS("Flat profile:"), .what = "text of gprof, which " NO_STACKS RECORD_STACKS },
	{ BEGINS("Ftrace!"), .what = "a recording of uftrace: give collapse what uftrace dump --flame-graph prints" },
	{ BEGINS("# DURATION "),
	  .what = "text of uftrace replay: give collapse what uftrace dump --flame-graph prints" },
	{ BEGINS("tlZ\4"), .what = "a recording of Tracy, which collapse does not read" },
	{ BEGINS("tZst"), .what = "a recording of Tracy, which collapse does not read" },
	{ BEGINS("tr\xfdP"), .what = "a recording of Tracy, which collapse does not read" },
	{ .line = "execve(",
	  .has = ") = ",
	  .what = "text of strace without stacks: record with strace -k, or pyrograph collect syscalls" },
	{ .has = "+++ exited ",
	  .what = "text of strace or ltrace without stacks: record with pyrograph collect syscalls" },

	/* JVMs, Android */
	{ BEGINS("JAVA PROFILE 1.0.1, created"), .what = "text of hprof, which JDK 9 no longer has: " JVM_STACKS },
	{ BEGINS("JAVA PROFILE 1."), .what = "a heap dump of a JVM, which has objects, but no profile: for where they "
					     "were allocated, " JVM_STACKS },
	{ .has = "jdk.ExecutionSample {", .what = "text of jfr print: give collapse the .jfr file itself" },
	{ .has = "\"type\": \"jdk.", .what = "JSON of jfr print: give collapse the .jfr file itself" },
	{ BEGINS("nBpRoFiLeR"), .what = "a snapshot of VisualVM, which collapse does not read: " JVM_STACKS },
	{ BEGINS("*version\n"), .what = "a method trace of Android: open it in Android Studio, or record with "
					"simpleperf, and give collapse what its stackcollapse.py prints" },
	{ BEGINS("SLOW"), .what = "a method trace of Android: open it in Android Studio, or record with simpleperf, "
				  "and give collapse what its stackcollapse.py prints" },

	/* other languages */
	{ .is = is_stackprof,
	  .what = "a dump of stackprof: convert it first, with stackprof --stackcollapse FILE (recorded with raw: "
		  "true)" },
	{ BEGINS("MOJ"), .what = "in Austin's binary format, MOJO: convert it first, with mojo2austin FILE TEXT" },
	{ .is = is_pstats, .what = "a profile of cProfile, which " NO_STACKS "record with py-spy record --format raw" },
	{ .has = "ncalls  tottime  percall",
	  .what = "text of cProfile, which " NO_STACKS "record with py-spy record --format raw" },
	{ .line = "Timer unit: ",
	  .what = "text of line_profiler, which has lines, but no stacks: record with py-spy record --format raw" },
	{ .has = "\"root_frame\"", .what = "a session of pyinstrument: write it with pyinstrument -r speedscope" },
	{ .line = "  _     ._   __/__", .what = "text of pyinstrument: write it with pyinstrument -r speedscope" },
	{ BEGINS("\x80\3"), .what = "a pickle of Python (line_profiler, tracemalloc and others write such), which "
				    "collapse does not read" },
	{ BEGINS("\x80\4\x95"), .what = "a pickle of Python (line_profiler, tracemalloc and others write such), which "
					"collapse does not read" },
	{ BEGINS("NYTProf "), .what = "a profile of Perl's NYTProf: give collapse what nytprofcalls FILE prints" },
	{ .line = "TRACE START [", .what = "a trace of Xdebug for people: record with xdebug.trace_format=1" },
	{ .has = "main()==>", .what = "a profile of XHProf, which " NO_STACKS "record with phpspy" },
	{ BEGINS("hdrb"), .what = "an event log of GHC: convert it first, with hs-speedscope FILE" },
	{ BEGINS("JOB \""),
	  .what = "a heap profile of GHC, which hp2ps draws: for stacks run the program with +RTS -p" },
	{ BEGINS("Nettrace"),
	  .what = "a trace of .NET: convert it first, with dotnet-trace convert --format speedscope FILE" },
	{ .ending = ".etl", .what = "a trace of Windows: open it in PerfView, and save its stacks for speedscope" },
	{ .has = "\"flamebearer\"",
	  .what = "JSON of Pyroscope's pages: fetch the profile as pprof, with profilecli query profile --output "
		  "pprof=FILE" },

	/* Files that are not profiles. */
	{ .is = is_core,
	  .what = "a core dump: give collapse what gdb -batch -ex 'thread apply all bt' PROGRAM FILE prints" },
	{ BEGINS("MDMP"), .what = "a minidump: give collapse what lldb -b -c FILE -o 'bt all' prints" },
	{ .is = foreign_profiles_is_program,
	  .what = "a program or a library, no profile: record it with pyrograph collect cpu -- FILE" },
	{ .is = is_html,
	  .has = "async-profiler",
	  .what = "a page of async-profiler: write folded lines, with asprof -o collapsed or jfrconv -o collapsed" },
	{ .is = is_html, .what = "a web page: give collapse the profile that it shows, as text or JSON" },
	{ BEGINS("\x89PNG"), .what = "a picture: only pyrograph's SVG has the lines that it was drawn from" },
	{ BEGINS("\xff\xd8\xff"), .what = "a picture: only pyrograph's SVG has the lines that it was drawn from" },
	{ BEGINS("%PDF-"),
	  .what = "a picture or a document: only pyrograph's SVG has the lines that it was drawn from" },
	{ BEGINS("SQLite format 3"),
	  .what = "a database of SQLite (coverage, Nsight and others write such), which collapse does not read" },
	{ .is = is_tar, .what = "an archive: unpack it first, with tar -x" },
	{ BEGINS("7z\xbc\xaf"), .what = "an archive: unpack it first, with 7z x" },
};

static bool foreign_profiles_is_meant(const struct foreign_row *row, const char *path, const uint8_t *bytes,
				      size_t size)
{
	size_t head = size < LOOKED_AT ? size : LOOKED_AT, path_len = strlen(path);
	size_t ending = row->ending ? strlen(row->ending) : 0;

	return (!row->begin || (size >= row->begin_len && !memcmp(bytes, row->begin, row->begin_len))) &&
	       (!row->line || has_line(bytes, head, row->line)) &&
	       (!row->has || foreign_profiles_has_text(bytes, head, row->has)) &&
	       (path_len >= ending && !memcmp(path + path_len - ending, row->ending ? row->ending : "", ending)) &&
	       (!row->is || row->is(bytes, size));
}

/* Recognise a file by its content, bytes[0..size), and its name, path.  Returns what the file is and what to give
 * collapse instead ("a log of V8: give collapse what node --prof-process FILE prints"), or NULL if it is not known. */
static const char *foreign_profile(const char *path, const uint8_t *bytes, size_t size)
{
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		if (foreign_profiles_is_meant(&rows[i], path, bytes, size))
			return rows[i].what;
	}
	return NULL;
}

/* --- other files ------------------------------------------------------------------------ */

/* The beginnings of files that collapse cannot read. */
#define MAGIC_VERSION_1 "PERFFILE"
#define MAGIC_OTHER_ORDER "2ELIFREP" /* version 2, written by a machine with the other byte order */

/* "329797210338 1834" */
static bool is_point(const char *line, size_t len)
{
	struct decimal number;

	if (!decimal_read(&line, &len, &number) || !len || !strchr(" \t,", *line))
		return false;
	while (len && strchr(" \t,", *line)) {
		line++;
		len--;
	}
	return decimal_read(&line, &len, &number) && (!len || *line == '\r');
}

/* Is the first or the second line a pair of numbers?  The other line may be a heading. */
static bool perfdata_foreign_is_points(const uint8_t *bytes, size_t size)
{
	const uint8_t *end = bytes + size, *newline;

	for (int i = 0; i < 2 && bytes < end; i++, bytes = newline + 1) {
		newline = memchr(bytes, '\n', (size_t)(end - bytes));
		if (!newline)
			newline = end;
		if (is_point((const char *)bytes, (size_t)(newline - bytes)))
			return true;
	}
	return false;
}

bool foreign_is_flame_graph(const char *text, size_t len)
{
	static const char comment[] = "Flame graph stack visualization";

	return memmem(text, len < LOOKED_AT ? len : LOOKED_AT, comment, strlen(comment)) != NULL;
}

static int explain_picture(const char *path, const uint8_t *bytes, size_t size, bool is_file)
{
	if (foreign_is_flame_graph((const char *)bytes, size))
		return error(
			"%s: is a flame graph of FlameGraph or inferno: give collapse the folded lines that it was "
			"drawn from",
			path);
	return error("%s: is a picture: if pyrograph drew it, this prints its folded lines: pyrograph render "
		     "folded%s%s",
		     path, is_file ? " " : "", is_file ? path : "");
}

enum { WIDE_LOOKED_AT = 16 };

/* Do the bytes look like text with a NUL beside each byte, beginning with the first or the second one? */
static bool has_wide_text(const uint8_t *bytes, size_t first)
{
	for (size_t i = 0; i < WIDE_LOOKED_AT; i += 2) {
		uint8_t c = bytes[i + first];

		if (bytes[i + 1 - first] || c > '~' || (c < ' ' && c != '\n' && c != '\r' && c != '\t'))
			return false;
	}
	return true;
}

/* The encoding, as a name for iconv(1), of text with two bytes for each character, as Windows writes it, usually after
 * a byte-order mark; NULL: it is not such text. */
static const char *wide_encoding(const uint8_t *bytes, size_t size)
{
	if (size > 3 && ((bytes[0] == 0xff && bytes[1] == 0xfe) || (bytes[0] == 0xfe && bytes[1] == 0xff)))
		return "UTF-16";
	if (size < 16)
		return NULL;
	return has_wide_text(bytes, 0) ? "UTF-16LE" : has_wide_text(bytes, 1) ? "UTF-16BE" : NULL;
}

/* The program that unpacks files like this one, which we do not unpack; NULL: it is not such a file. */
static const char *unpacker_of(const uint8_t *bytes, size_t size)
{
	static const struct {
		const char *magic, *unpacker;
	} packings[] = {
		{ "BZh", "bzip2 -dc" },
		{ "\x04\x22\x4d\x18", "lz4 -dc" },
		{ "PK\x03\x04", "unzip -p" },
		{ "\x5d", "xz -dc" },           /* xz's predecessor: properties, and the size of a dictionary, 2^n */
		{ "\x1f\x8b\x08", "gzip -dc" }, /* ... within what was unpacked */
		{ "\xfd"
		  "7zXZ",
		  "xz -dc" },
		{ "\x28\xb5\x2f\xfd", "zstd -dc" },
	};

	for (size_t i = 0; i < sizeof(packings) / sizeof(*packings); i++) {
		bool lzma = packings[i].magic[0] == 0x5d;

		if (text_begins(bytes, size, packings[i].magic) && (!lzma || (size > 13 && !bytes[1] && !bytes[2])))
			return packings[i].unpacker;
	}
	return NULL;
}

/* Explain files that other tools wrote. */
static int explain_other(const char *path, const uint8_t *bytes, size_t size)
{
	const char *unpacker = unpacker_of(bytes, size), *wide = wide_encoding(bytes, size);
	const char *profile = foreign_profile(path, bytes, size);
	bool is_file = strcmp(path, "stdin");

	if (input_is_svg((const char *)bytes, size))
		return explain_picture(path, bytes, size, is_file);
	if (profile)
		return error("%s: is %s", path, profile);
	if (wide)
		return error("%s: is text in UTF-16: convert it first: iconv -f %s -t UTF-8", path, wide);
	if (unpacker)
		return error("%s: is packed: unpack it first, with %s (only gzip, xz and zstd are undone here, once)",
			     path, unpacker);
	return error(
		"%s: is not a perf.data file, nor text of a known format (--format NAME chooses one, --format list "
		"shows all)",
		path);
}

int foreign_explain(const char *path, const uint8_t *bytes, size_t size)
{
	if (text_begins(bytes, size, MAGIC_OTHER_ORDER))
		return error("%s: was recorded on a machine with the other byte order; collapse it there", path);
	if (text_begins(bytes, size, MAGIC_VERSION_1))
		return error("%s: is a perf.data file of version 1 (before Linux 3.x); record again", path);
	if (perfdata_foreign_is_points(bytes, size))
		return error("%s: looks like two columns of numbers: use --format points", path);
	return explain_other(path, bytes, size);
}
