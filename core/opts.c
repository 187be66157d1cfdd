#include "core/opts.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/memory.h"
#include "core/nearest.h"
#include "core/outfile.h"
#include "core/str.h"

struct size_unit {
	const char *name;
	double factor;
};

static const struct size_unit time_units[] = { { "", 1e9 },      { "s", 1e9 },  { "ms", 1e6 },   { "us", 1e3 },
					       { "ns", 1 },      { "m", 60e9 }, { "min", 60e9 }, { "h", 3600e9 },
					       { "d", 86400e9 }, { 0 } };

static const struct size_unit size_units[] = { { "", 1 },           { "k", 1024 },        { "K", 1024 },
					       { "kB", 1024 },      { "M", 1048576 },     { "MB", 1048576 },
					       { "G", 1073741824 }, { "GB", 1073741824 }, { 0 } };

/* Parse a decimal number >= 0; *end is set to its end. */
static bool parse_real(const char *text, double *value, char **end)
{
	if (!isdigit((unsigned char)text[0]) && text[0] != '.')
		return false;
	*value = strtod(text, end);
	return *end != text && isfinite(*value) && *value >= 0;
}

static bool parse_with_unit(const char *text, const struct size_unit *units, uint64_t *result)
{
	double value;
	char *end;

	if (!parse_real(text, &value, &end))
		return false;
	for (const struct size_unit *u = units; u->name; u++) {
		if (!strcmp(end, u->name) && value * u->factor < 9e18) {
			*result = (uint64_t)(value * u->factor + 0.5);
			return true;
		}
	}
	return false;
}

bool parse_duration(const char *text, uint64_t *ns)
{
	return parse_with_unit(text, time_units, ns);
}

bool parse_size(const char *text, uint64_t *bytes)
{
	return parse_with_unit(text, size_units, bytes);
}

bool parse_u64(const char *text, uint64_t *n)
{
	char *end;

	if (!isdigit((unsigned char)text[0]))
		return false;
	errno = 0;
	*n = strtoull(text, &end, 10);
	return !errno && !*end;
}

/* Was the name of o listed in an earlier row? */
static bool opts_is_repeated(const struct opt *opts, const struct opt *o)
{
	for (; opts < o; opts++) {
		if (opts->help && !strcmp(opts->name, o->name))
			return true;
	}
	return false;
}

static void opts_show(const struct opt *opts, const struct opt *o)
{
	char left[64];

	if (!o->help || opts_is_repeated(opts, o))
		return;
	snprintf(left, sizeof(left), o->optional ? "%c%c%s--%s[=%.0s%s]" : "%c%c%s--%s%s%s", o->letter ? '-' : ' ',
		 o->letter ? o->letter : ' ', o->letter ? ", " : "  ", o->name, o->arg ? " " : "",
		 o->arg ? o->arg : "");
	printf("  %-26s%s%s\n", left, strlen(left) > 25 ? "\n                            " : "", o->help);
}

/* "pyrograph-render": each program has a manual page of its own name. */
static const char *page_name(void)
{
	static const char own[] = "pyrograph";
	const char *called = program_invocation_short_name;

	return strncmp(called, own, strlen(own)) ? own : called;
}

static void opts_show_help(const struct opt *opts, const struct manual *manual)
{
	if (manual->examples)
		printf("Examples:\n%s\n", manual->examples);
	printf("Usage: %s %s\n%s\n\nOptions:\n", program_name, manual->usage, manual->about);
	for (const struct opt *o = opts; o->name; o++)
		opts_show(opts, o);
	printf("  -q, --quiet               no progress, warnings or summary\n"
	       "  -h, --help                this text (more: man %s)\n",
	       page_name());
	if (manual->more)
		printf("\n%s", manual->more);
}

static const char *spelling(const struct opt *o, char *buf, size_t size)
{
	snprintf(buf, size, "--%s", o->name);
	return buf;
}

static void set_num(const struct opt *o, const char *name, const char *value)
{
	bool bounded = o->min || o->max;
	char *end;
	long long n;

	errno = 0;
	n = strtoll(value, &end, 10);
	if (errno || end == value || *end || isspace((unsigned char)value[0]))
		die_usage("%s needs a whole number, not '%s'", name, value);
	if (bounded && (n < o->min || n > o->max))
		die_usage("%s needs a number from %lld to %lld, not %s", name, (long long)o->min, (long long)o->max,
			  value);
	*o->num = n;
}

static void opts_list_add(struct text_list *list, const char *value)
{
	list->items = xgrow(list->items, &list->cap, list->count + 1, sizeof(*list->items));
	list->items[list->count++] = value;
}

static void set(const struct opt *o, const char *value)
{
	char name[64], *end;

	spelling(o, name, sizeof(name));
	if (o->flag)
		*o->flag = true;
	else if (o->off)
		*o->off = false;
	else if (o->text)
		*o->text = value;
	else if (o->list)
		opts_list_add(o->list, value);
	else if (o->num)
		set_num(o, name, value);
	else if (o->real && (!parse_real(value, o->real, &end) || *end))
		die_usage("%s needs a positive number, not '%s'", name, value);
	else if (o->bytes && !parse_with_unit(value, size_units, o->bytes))
		die_usage("%s needs a size such as 64k or 16M, not '%s'", name, value);
	else if (o->ns && !parse_duration(value, o->ns))
		die_usage("%s needs a time such as 5s or 20ms, not '%s'", name, value);
	else if (o->ns && !*o->ns)
		die_usage("%s needs a time longer than 0", name);
}

/* Set the variable of o, and of other rows with the same name, if they take a value exactly when o does. */
static void set_all(const struct opt *opts, const struct opt *o, const char *value)
{
	for (; opts->name; opts++) {
		if (opts == o || (!strcmp(opts->name, o->name) && !opts->arg == !o->arg))
			set(opts, value);
	}
}

/* Options of every command, which opts_take() handles. */
static const struct opt common[] = {
	{ .letter = 'q', .name = "quiet", .help = "no progress, warnings or summary" },
	{ .letter = 'h', .name = "help", .help = "what the command does, and its options" },
	{ .letter = 'V', .name = "version", .help = "of Pyrograph" },
	{ 0 }
};

static _Noreturn void unknown_option(const struct opt *opts, const char *name)
{
	const struct opt *tables[] = { opts, common };
	struct nearest meant = { 0 };

	for (size_t t = 0; t < 2; t++) {
		for (const struct opt *o = tables[t]; o->name; o++)
			nearest_try(&meant, name, o->name);
	}
	if (meant.name)
		die_usage("unknown option --%s\nDid you mean '--%s'?", name, meant.name);
	die_usage("unknown option --%s", name);
}

/* Is word ("title", "color=java") a long name, not a row of letters? */
static bool is_long_word(const struct opt *opts, const char *word)
{
	size_t len = strcspn(word, "=");

	for (; len >= 4 && opts->name; opts++) {
		if (!strncmp(opts->name, word, len))
			return true;
	}
	return false;
}

static bool starts_so(const struct opt *o, const char *name, size_t len)
{
	return !strncmp(o->name, name, len);
}

static _Noreturn void ambiguous_option(const struct opt *opts, const char *name, size_t len)
{
	const struct opt *tables[] = { opts, common };
	struct str known = { 0 };

	for (size_t t = 0; t < 2; t++) {
		for (const struct opt *o = tables[t]; o->name; o++) {
			if (starts_so(o, name, len))
				str_addf(&known, "%s--%s", known.len ? ", " : "", o->name);
		}
	}
	die_usage("--%.*s is ambiguous: %s", (int)len, name, str_text(&known));
}

/* The option called name[0..len), or the only one that starts with it. */
static const struct opt *find_long(const struct opt *opts, const char *name, size_t len)
{
	const struct opt *found = NULL, *rival = NULL;
	const struct opt *tables[] = { opts, common };

	for (size_t t = 0; t < 2; t++) {
		for (const struct opt *o = tables[t]; o->name; o++) {
			if (!starts_so(o, name, len))
				continue;
			if (!o->name[len])
				return o;
			if (!found || (o->preferred && !found->preferred)) {
				found = o;
				rival = NULL;
			} else if (o->preferred == found->preferred && strcmp(o->name, found->name)) {
				rival = o;
			}
		}
	}
	if (!found)
		unknown_option(opts, xstrndup(name, len));
	if (rival)
		ambiguous_option(opts, name, len);
	return found;
}

static const struct opt *find_letter(const struct opt *opts, char letter)
{
	const struct opt *tables[] = { opts, common };

	for (size_t t = 0; t < 2; t++) {
		for (const struct opt *o = tables[t]; o->name; o++) {
			if (o->letter == letter)
				return o;
		}
	}
	die_usage("unknown option -%c", letter);
}

static void opts_take(const struct opt *opts, const struct manual *manual, const struct opt *o, const char *value)
{
	if (o < common || o >= common + 3) {
		set_all(opts, o, value);
	} else if (o->letter == 'q') {
		quiet = 1;
	} else if (o->letter == 'V') {
		printf("pyrograph %s\n", PYROGRAPH_VERSION);
		exit(flush_stdout() < 0);
	} else {
		opts_show_help(opts, manual);
		exit(flush_stdout() < 0);
	}
}

/* The value of option o, attached to it or in the next word. */
static const char *opts_value_of(const struct opt *o, const char *attached, char **argv, int argc, int *i)
{
	if (!o->arg) {
		if (attached)
			die_usage("--%s takes no value", o->name);
		return NULL;
	}
	if (attached || o->optional)
		return attached ? attached : "";
	if (*i + 1 >= argc)
		die_usage("--%s needs a value: %s", o->name, o->arg);
	return argv[++*i];
}

static void parse_letters(const struct opt *opts, const struct manual *manual, char **argv, int argc, int *i)
{
	for (const char *c = argv[*i] + 1; *c; c++) {
		const struct opt *o = find_letter(opts, *c);
		const char *attached = o->arg && c[1] ? c + 1 : NULL;

		opts_take(opts, manual, o, opts_value_of(o, attached, argv, argc, i));
		if (o->arg)
			return;
	}
}

/* name: "title" or "title=TEXT". */
static void parse_long(const struct opt *opts, const struct manual *manual, const char *name, char **argv, int argc,
		       int *i)
{
	size_t len = strcspn(name, "=");
	const struct opt *o = find_long(opts, name, len);
	const char *attached = name[len] ? name + len + 1 : NULL;

	opts_take(opts, manual, o, opts_value_of(o, attached, argv, argc, i));
}

void opt_table_add(struct opt_table *t, const struct opt *rows)
{
	size_t n = 0;

	while (rows[n].letter || rows[n].name)
		n++;
	t->rows = xgrow(t->rows, &t->cap, t->count + n + 1, sizeof(*rows));
	memcpy(t->rows + t->count, rows, n * sizeof(*rows));
	t->count += n;
	t->rows[t->count] = (struct opt){ 0 };
}

void opt_table_free(struct opt_table *t)
{
	free(t->rows);
	*t = (struct opt_table){ 0 };
}

/* ---- completion ---- */

static const struct opt *letters_of_next(const struct opt *opts, const char *word)
{
	for (const char *c = word + 1; *c; c++) {
		for (const struct opt *o = opts; o->name; o++) {
			if (o->letter == *c && o->arg)
				return c[1] ? NULL : o;
		}
	}
	return NULL;
}

/* The row whose value is the word after this one, "--title" or "-vt"; NULL: that is no value. */
static const struct opt *opts_of_next(const struct opt *opts, const char *word)
{
	const struct opt *found = NULL;
	size_t len = strlen(word) - 2;

	if (word[1] != '-')
		return letters_of_next(opts, word);
	for (const struct opt *o = opts; o->name && !(found && !found->name[len]); o++) {
		if (starts_so(o, word + 2, len) && (!found || !o->name[len]))
			found = o;
	}
	return found && found->arg && !found->optional ? found : NULL;
}

bool completion_asked(int argc, char **argv)
{
	return argc > 2 && !strcmp(argv[1], "--complete");
}

static bool begins_with(const char *text, const char *start)
{
	return !strncmp(text, start, strlen(start));
}

void completion_offer(const char *head, size_t head_len, const char *so_far, const char *word, size_t len,
		      const char *about)
{
	if (strlen(so_far) > len || strncmp(word, so_far, strlen(so_far)) != 0)
		return;
	printf("%.*s%.*s", (int)head_len, head, (int)len, word);
	if (about && *about)
		printf("\t%.*s", (int)strcspn(about, "\n"), about);
	putchar('\n');
}

size_t completion_list_head(const char *list)
{
	const char *comma = strrchr(list, ',');

	return comma ? (size_t)(comma + 1 - list) : 0;
}

bool completion_has(const char *list, size_t len, const char *word, size_t word_len)
{
	for (size_t at = 0, n; at < len; at += n + 1) {
		n = strcspn(list + at, ",");
		if (n == word_len && !memcmp(list + at, word, n))
			return true;
	}
	return false;
}

/* Words between blanks or "|"; of a list, those that are not there yet.  The value begins at word[at]. */
static void offer_choices(const char *choices, bool is_list, const char *word, size_t at)
{
	const char *value = word + at;
	size_t list = is_list ? completion_list_head(value) : 0;

	for (size_t n; *choices; choices += n) {
		choices += strspn(choices, " |");
		n = strcspn(choices, " |");
		if (n && !(list && completion_has(value, list, choices, n)))
			completion_offer(word, at + list, value + list, choices, n, NULL);
	}
}

/* "auto|light", not "PX|N%" */
static bool are_choices(const char *arg)
{
	return strchr(arg, '|') && arg[0] >= 'a' && arg[0] <= 'z';
}

/* The value begins at word[at]: behind "--theme=", where they are one word. */
static void offer_value(const struct opt *o, const char *word, size_t at)
{
	bool is_list = !strcmp(o->arg, "LIST");

	for (size_t i = 0; o->choice && o->choice(i); i++)
		offer_choices(o->choice(i), is_list, word, at);
	if (o->choices)
		offer_choices(o->choices, is_list, word, at);
	else if (are_choices(o->arg))
		offer_choices(o->arg, false, word, at);
	else if (begins_with(o->arg, "FILE") || !strcmp(o->arg, "BASE"))
		puts(":file");
	else if (!strcmp(o->arg, "DIR"))
		puts(":directory");
}

static void offer_options(const struct opt *opts, const char *so_far)
{
	const struct opt *tables[] = { opts, common };
	const char *name = so_far[1] ? so_far + 2 : "";

	for (size_t t = 0; t < 2; t++) {
		for (const struct opt *o = tables[t]; o->name; o++) {
			if (o->help && !opts_is_repeated(tables[t], o))
				completion_offer("--", 2, name, o->name, strlen(o->name), o->help);
		}
	}
}

static void offer_operands(const struct manual *manual)
{
	size_t len = strlen(manual->usage);

	if (manual->operands_end)
		puts(":command");
	else if (len >= 3 && !strcmp(manual->usage + len - 3, "DIR"))
		puts(":directory");
	else
		puts(":file");
}

/* "--theme=da" */
static void offer_attached(const struct opt *opts, const char *word)
{
	size_t len = strcspn(word, "=");

	for (const struct opt *o = opts; o->name; o++) {
		if (strlen(o->name) == len - 2 && !memcmp(o->name, word + 2, len - 2) && o->arg) {
			offer_value(o, word, len + 1);
			return;
		}
	}
}

/* Options, values and operands for argv[argc - 1], which argv[2..] precede. */
static void completion_options(const struct opt *opts, const struct manual *manual, int argc, char **argv)
{
	const char *last = argv[argc - 1];
	const struct opt *of = NULL; /* whose value the next word is */
	bool operands = false;       /* all that follows */

	for (int i = 2; i < argc - 1; i++) {
		bool is_option = argv[i][0] == '-' && argv[i][1];

		if (of)
			of = NULL;
		else if (!strcmp(argv[i], "--") || (!is_option && manual->operands_end))
			operands = true;
		else if (is_option && !operands)
			of = opts_of_next(opts, argv[i]);
	}
	if (operands)
		puts(":file");
	else if (of)
		offer_value(of, last, 0);
	else if (begins_with(last, "--") && strchr(last, '='))
		offer_attached(opts, last);
	else if (!strcmp(last, "-") || begins_with(last, "--"))
		offer_options(opts, last);
	else
		offer_operands(manual);
}

/* ---- all of a command line ---- */

int opts_parse(const struct opt *opts, const struct manual *manual, int argc, char **argv)
{
	int operands = 0;

	if (completion_asked(argc, argv)) {
		completion_options(opts, manual, argc, argv);
		exit(flush_stdout() < 0);
	}
	for (int i = 1; i < argc; i++) {
		char *arg = argv[i];

		if (arg[0] != '-' || !arg[1]) {
			argv[operands++] = arg;
			if (!manual->operands_end)
				continue;
			while (++i < argc)
				argv[operands++] = argv[i];
		} else if (!strcmp(arg, "--")) {
			while (++i < argc)
				argv[operands++] = argv[i];
		} else if (arg[1] == '-') {
			parse_long(opts, manual, arg + 2, argv, argc, &i);
		} else if (manual->one_dash && is_long_word(opts, arg + 1)) {
			parse_long(opts, manual, arg + 1, argv, argc, &i);
		} else {
			parse_letters(opts, manual, argv, argc, &i);
		}
	}
	return operands;
}

/* ---- a look ahead ---- */

/* The value of --name or --name=VALUE, which is argv[*at]. */
static const char *opts_value_at(const struct opt *opts, int argc, char **argv, int *at)
{
	const char *equals = strchr(argv[*at], '=');

	if (equals)
		return equals + 1;
	return opts_of_next(opts, argv[*at]) && *at + 1 < argc ? argv[++*at] : "";
}

const char *opts_look(const struct opt *opts, const struct manual *manual, const char *name, int argc, char **argv,
		      int *at)
{
	size_t len = strlen(name);

	while (++*at < argc && strcmp(argv[*at], "--") != 0) {
		const char *word = argv[*at];
		bool is_option = word[0] == '-' && word[1];

		if (!is_option && manual->operands_end)
			return NULL;
		if (!is_option)
			continue;
		if (!strncmp(word, "--", 2) && !strncmp(word + 2, name, len) && strchr("=", word[2 + len]))
			return opts_value_at(opts, argc, argv, at);
		*at += opts_of_next(opts, word) != NULL;
	}
	return NULL;
}
