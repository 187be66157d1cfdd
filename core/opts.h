/* opts: command line options from a table, with checked numbers and --help.
 *
 *     static const struct opt opts[] = {
 *             { 'F', "frequency", "HZ", "samples a second [99]",
 *               .num = &hz, .min = 1, .max = 100000 },
 *             { 'a', "all-cpus", NULL, "the whole machine", .flag = &all },
 *             {0}
 *     };
 *
 * A name that is in several rows is listed once, and sets the variables of all of them.
 *
 * Long names may be shortened while they stay unique; --name=V and --name V,
 * -F99 and -F 99 are the same.  Every program has --help, --quiet and --version. */
#ifndef CORE_OPTS_H
#define CORE_OPTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The values of an option that may be repeated. */
struct text_list {
	const char **items; /* point into argv */
	size_t count, cap;
};

/* The text of a constant that is a macro, so that help shows the actual default. */
#define OPT_TEXT(number) OPT_TEXT_OF(number)
#define OPT_TEXT_OF(text) #text

struct opt {
	char letter; /* 0: long name only */
	const char *name;
	const char *arg;  /* name of the value in --help; NULL for a flag */
	const char *help; /* NULL: accepted, but not listed */

	/* Where the value goes: exactly one is set. */
	bool *flag;
	const char **text;
	struct text_list *list;
	int64_t *num;    /* whole, min..max */
	double *real;    /* decimal, >= 0 */
	uint64_t *bytes; /* 64, 64k, 16M, 2G (powers of 1024) */
	uint64_t *ns;    /* 5, 5s, 20ms, 100us, 7ns, 2m, 1h; no unit = seconds; not 0 */
	bool *off;       /* a flag that sets false */

	/* What the value may be, for completion (below): words between blanks, or the i-th word, NULL after
	 * the last.  If arg is LIST, a value has several of these words.  An arg such as "always|never" lists the
	 * words itself. */
	const char *choices;
	const char *(*choice)(size_t i);

	int64_t min, max; /* for num; both 0 = any */
	bool optional;    /* text: the value must be attached (--name=VALUE); without it,
			   * it is "" */
	bool preferred;   /* an ambiguous shortened name means this option */
};

struct manual {
	const char *usage;    /* after the program's name: "[options] FILE" */
	const char *about;    /* one sentence */
	const char *examples; /* whole lines, shown first */
	bool operands_end;    /* options stop at the first operand (a COMMAND) */
	bool one_dash;        /* "-title X" is --title X, as Perl's Getopt::Long has it; a
			       * word of at least four letters that begins a long name */
	const char *more;     /* whole lines, shown last; may be NULL */
};

/* A table that is put together from rows of other tables.  {0} has no options. */
struct opt_table {
	struct opt *rows; /* [count], and a {0}; owned */
	size_t count, cap;
};

/* Append copies of rows, up to their final {0}. */
void opt_table_add(struct opt_table *t, const struct opt *rows);

void opt_table_free(struct opt_table *t);

/* Parse argv[1..argc), put the values where the table says, and move the operands to argv[0..n).  Returns n.  Prints
 * the help and exits 0 for --help, 1 if it could not be printed; exits 2 with a message for anything wrong. */
int opts_parse(const struct opt *opts, const struct manual *manual, int argc, char **argv);

/* Find the next --name, spelled out, after argv[*at]; *at is 0 at first and becomes its index.  Returns its value, ""
 * if it has none, or NULL if there are no more.  For options that decide which other options exist; opts_parse()
 * reports errors. */
const char *opts_look(const struct opt *opts, const struct manual *manual, const char *name, int argc, char **argv,
		      int *at);

/* ---- completion: what may follow on a command line, from the tables that also parse it ----
 *
 *     pyrograph --complete collect cpu,sched --call      prints "--call-graph<TAB>user stacks: ..."
 *
 * The last word is the one to complete; it may be "".  A line of the answer is a word that may take its place, and what
 * it means; or, for what a shell knows better, ":file", ":directory" or ":command".  opts_parse() answers for options. */

/* Is argv[1] "--complete", and a word after it? */
bool completion_asked(int argc, char **argv);

/* Print head[0..head_len) and word[0..len), if that begins with so_far. */
void completion_offer(const char *head, size_t head_len, const char *so_far, const char *word, size_t len,
		      const char *about);

/* The length of a list without its last, unfinished item: "cpu," of "cpu,sch". */
size_t completion_list_head(const char *list);

/* Has list[0..len) the item word[0..word_len)? */
bool completion_has(const char *list, size_t len, const char *word, size_t word_len);

/* Parse a time span such as "20ms"; no unit means seconds.
 * Returns false if text is not one. */
bool parse_duration(const char *text, uint64_t *ns);

/* Parse a size such as "64k"; no unit means bytes.
 * Returns false if text is not one. */
bool parse_size(const char *text, uint64_t *bytes);

/* Parse a whole decimal number, with nothing before or after it.
 * Returns false if text is not one, or too large. */
bool parse_u64(const char *text, uint64_t *n);

#endif
