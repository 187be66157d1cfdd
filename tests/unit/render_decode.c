/* Reads pictures back: every field of encode.h, and anything else that a file may have. */
#include <stdlib.h>

#include "core/memory.h"
#include "render/drawing/gzip.h"
#include "render/encoding/decode.h"
#include "render/encoding/unfold.h"
#include "tests/unit/check.h"

static struct str picture, lines;

static void add_number(struct str *out, uint64_t n)
{
	for (; n >= 32; n >>= 5)
		str_addc(out, (char)(63 + 32 + (n & 31)));
	str_addc(out, (char)(63 + n));
}

/* A picture of a tree, with "," between numbers; settings begin with a comma. */
static void make(const char *settings, unsigned names, unsigned frames, const char *name_lines, const char *tree)
{
	str_clear(&picture);
	str_puts(&picture, "<?xml version=\"1.0\"?>\n<svg><!-- <metadata id=\"flame-settings\">no -->\n"
			   "<metadata id=\"pyrograph\">{\"kind\":\"flame\",\"title\":\"T\","
			   "\"unit\":\"ns\",\"total\":9,\"host\":\"db1\",\"command\":\"a \\u0026 b\","
			   "\"root\":\"pid\"}</metadata>\n");
	str_addf(&picture,
		 "<metadata id=\"flame-settings\">{\"names\":%u,\"frames\":%u,\"x\":[1,{\"names\""
		 ":7}],\"decimals\":2%s}</metadata>\n",
		 names, frames, settings);
	str_addf(&picture, "<metadata class=\"flame-names\">%s</metadata>\n<metadata class=\"flame-tree\">",
		 name_lines);
	for (const char *at = tree; *at; at += strcspn(at, ",") + (at[strcspn(at, ",")] == ','))
		add_number(&picture, strtoull(at, NULL, 10));
	str_puts(&picture, "</metadata>\n<script><![CDATA[ '<metadata class=\"flame-tree\">' ]]></script></svg>\n");
}

/* The lines after the header, or the error. */
static const char *unfolded(void)
{
	struct decoded d;
	const char *wrong = decode(&d, picture.buf, picture.len);
	char *text = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&text, &size);

	str_clear(&lines);
	if (wrong)
		str_puts(&lines, wrong);
	else if (unfold(out, &d, "test") < 0)
		str_puts(&lines, "failed");
	fclose(out);
	if (!wrong)
		str_puts(&lines, text);
	free(text);
	decoded_free(&d);
	return str_text(&lines);
}

static const char *behind_header(void)
{
	const char *text = unfolded();
	const char *newline = strchr(text, '\n');

	return newline ? newline + 1 : text;
}

#define HEADER "# pyrograph: host=db1 command=\"a \\u0026 b\" root=pid unit=ns\n"
#define NAMES "?all\n?main\n@&lt;a&gt;&#9;\n?read_[k]\n" /* all main m<a> read_[k] */

static void check_plain(void)
{
	make("", 4, 5, NAMES, "0,0,1,1,5,1,2,70,3,3,1000,1,2,250");
	CHECK_TEXT(unfolded(), HEADER "main 0.05\nmain;m<a>\t 0.7\nmain;read_[k] 10\n"
				      "main;read_[k];m<a>\t 2.5\n");
	make(",\"whole\":false", 4, 5, NAMES, "0,0,1,1,5,1,2,70,3,3,1000,1,2,250");
	CHECK_TEXT(behind_header(), "all;main 0.05\nall;main;m<a>\t 0.7\nall;main;read_[k] 10\n"
				    "all;main;read_[k];m<a>\t 2.5\n");
	make(",\"reversed\":true", 4, 5, NAMES, "0,0,1,1,5,1,2,70,3,3,1000,1,2,250");
	CHECK_TEXT(behind_header(), "main 0.05\nm<a>\t;main 0.7\nread_[k];main 10\nm<a>\t;read_[k];main 2.5\n");
	make(",\"reversed\":true,\"whole\":false", 4, 3, NAMES, "0,0,0,1,1,2,100");
	CHECK_TEXT(behind_header(), "all;m<a>\t;main 1\n");
	/* siblings out of order, which a chart keeps so */
	make("", 4, 3, NAMES, "0,0,1,3,100,3,1,200");
	CHECK_TEXT(behind_header(), "main 2\nread_[k] 1\n");
	make(",\"chart\":true", 4, 4, NAMES, "0,0,1,3,100,3,1,200,3,3,300");
	CHECK_TEXT(behind_header(), "read_[k] 1\nmain 2\nread_[k] 3\n");
	/* gaps are lines of the frame that they are in */
	make(",\"chart\":true", 4, 4, NAMES, "1,0,700,1,5,100,1,1,200,1,5,300,1,3,400,3,2,600");
	CHECK_TEXT(behind_header(), " 1\nmain 3\nmain;read_[k] 4\nmain;m<a>\t 6\nmain 2\n 7\n");
	make(",\"chart\":true,\"reversed\":true", 4, 3, NAMES, "0,0,1,1,200,1,5,300,1,3,400");
	CHECK_TEXT(behind_header(), "main 3\nread_[k];main 4\nmain 2\n");
	/* values that are in no stack; the largest number */
	make("", 4, 1, NAMES, "1,0,18446744073709551615");
	CHECK_TEXT(behind_header(), " 184467440737095516.15\n");
	/* places among siblings, folded frames */
	make(",\"arrival\":true", 4, 4, NAMES, "0,0,0,1,1,7,100,1,4,12,3,250,3,2,0,5");
	CHECK_TEXT(behind_header(), "main 1\nmain;... 2.5\nmain;m<a>\t 0.05\n");
}

#define TWO ",\"layers\":[{\"name\":\"before\",\"total\":1},{\"total\":2,\"name\":\"a;f\"}]"

static void check_layers(void)
{
	make(TWO ",\"mode\":\"diff\"", 4, 3, NAMES, "0,0,1,1,2,0,100,0,200,1,2,1,1,50");
	CHECK_TEXT(unfolded(), "# pyrograph: host=db1 command=\"a \\u0026 b\" root=pid columns=before,after unit=ns\n"
			       "main 1 2\nmain;m<a>\t 0 0.5\n");
	make(TWO ",\"mode\":\"metrics\"", 4, 3, NAMES, "0,0,1,1,2,0,100,0,200,1,2,1,1,50");
	CHECK_TEXT(unfolded(), "# pyrograph: host=db1 command=\"a \\u0026 b\" root=event,pid unit=ns\n"
			       "before;main 1\na:f;main 2\na:f;main;m<a>\t 0.5\n");
	make(TWO ",\"mode\":\"multiples\",\"combine\":\"max\"", 4, 3, NAMES, "0,0,1,1,7,2,0,100,0,200,1,2,0,1,1,50");
	CHECK_TEXT(unfolded(), "# pyrograph: host=db1 command=\"a \\u0026 b\" root=file,pid unit=ns\n"
			       "before;main 1\na:f;main 2\na:f;main;m<a>\t 0.5\n");
	make(TWO ",\"animate\":{\"start_ns\":\"1795342502000000001\",\"step_ns\":\"1500000000\"}", 4, 3, NAMES,
	     "0,0,1,1,2,0,100,0,200,1,2,1,1,50");
	CHECK_TEXT(behind_header(), "@1795342502.000000001 main 1\n@1795342503.500000001 main 2\n"
				    "@1795342503.500000001 main;m<a>\t 0.5\n");
	make(TWO, 4, 2, NAMES, "0,0,1,1,1,2,100");
	CHECK_TEXT(unfolded(), "its frames are damaged"); /* there is no third layer */
	make(TWO, 4, 2, NAMES, "0,0,1,1,3,0,1,0,1,0,1");
	CHECK_TEXT(unfolded(), "its frames are damaged");
	make(TWO, 4, 2, NAMES, "0,0,1,1,99999999999");
	CHECK_TEXT(unfolded(), "its frames are damaged");
}

static void check_damage(void)
{
	static const char *const trees[] = {
		"0",
		"0,5",
		"0,0,0",
		"2,0",
		"0,0,1,1",
		"0,0,0,1,6,2",
		"0,0,1,1,5,99999999999,1,1",
		"0,0,0,1",
		"0,0,0,1,0,1,0,1",
		"0,0,2,1,0,1", /* a second root */
	};
	static const char *const gaps[] = {
		/* at the end, below, two, elsewhere */
		"0,0,1,1,200,1,5,100",
		"1,5,100,0,0,1,1,200",
		"0,0,1,5,100,1,5,100,1,1,200",
		"0,0,1,5,100,3,1,200",
		"0,0,1,5",
		"0,0,1,5,100,1",
	};

	for (size_t i = 0; i < sizeof(trees) / sizeof(trees[0]); i++) {
		make("", 4, 3, NAMES, trees[i]);
		CHECK_TEXT(unfolded(), "its frames are damaged");
	}
	for (size_t i = 0; i < sizeof(gaps) / sizeof(gaps[0]); i++) {
		make(",\"chart\":true", 4, 2, NAMES, gaps[i]);
		CHECK_TEXT(unfolded(), "its frames are damaged");
	}
	make("", 4, 2, NAMES, "0,0,1,5,100,1,1,200"); /* no chart */
	CHECK_TEXT(unfolded(), "its frames are damaged");
	make("", 5, 2, NAMES, "0,0,1,1,5");
	CHECK_TEXT(unfolded(), "its names are damaged");
	make("", 2, 2, "@all\n?main\n", "0,0,1,1,5");
	CHECK_TEXT(unfolded(), "its names are damaged"); /* shares with nothing */
	make("", 2, 2, "?all\nCmain\n", "0,0,1,1,5");
	CHECK_TEXT(unfolded(), "its names are damaged"); /* shares more than there is */
	make("", 2, 2, "?all\n\n", "0,0,1,1,5");
	CHECK_TEXT(unfolded(), "its names are damaged");
	make(",\"layers\":[}", 4, 2, NAMES, "0,0,1,1,5");
	CHECK_TEXT(unfolded(), "its layers are damaged");
	make("", 4, 0, NAMES, "");
	CHECK_TEXT(unfolded(), "it contains no profile");
	str_clear(&picture);
	str_puts(&picture, "<svg/>");
	CHECK_TEXT(unfolded(), "it is neither a flame graph nor a heat map of pyrograph");
}

/* Every byte of a good picture changed, and every length of it: no crash. */
static void check_mutations(const char *settings, unsigned frames, const char *tree)
{
	unsigned good = 0, bad = 0;
	char *copy;

	make(settings, 4, frames, NAMES, tree);
	copy = xstrndup(picture.buf, picture.len);
	for (size_t i = 0; i < picture.len; i++) {
		for (int c = 0; c<256; c += c> 58 && c < 130 ? 1 : 9) {
			picture.buf[i] = (char)c;
			good += strncmp(unfolded(), "# ", 2) == 0;
			bad++;
		}
		picture.buf[i] = copy[i];
	}
	CHECK(good > 1000 && good < bad - 1000);
	for (; picture.len; picture.len--)
		unfolded();
	free(copy);
}

static void check_gzip(void)
{
	char *packed = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&packed, &size);
	struct str text = { 0 }, back = { 0 };

	for (unsigned i = 0; i < 300000; i++)
		str_add_u64(&text, i * 2654435761u);
	CHECK(gzip_write(out, text.buf, text.len) == 0);
	fclose(out);
	CHECK(gzip_is(packed, size) && size < text.len);
	CHECK(!gzip_read(&back, packed, size, SIZE_MAX) && back.len == text.len &&
	      !memcmp(back.buf, text.buf, text.len));
	str_clear(&back);
	CHECK_TEXT(gzip_read(&back, packed, size, text.len - 1), "the gzip file is too large when unpacked");
	str_clear(&back);
	CHECK_TEXT(gzip_read(&back, packed, size - 1, SIZE_MAX), "the gzip file is cut short");
	packed[size / 2] ^= 1;
	str_clear(&back);
	CHECK_TEXT(gzip_read(&back, packed, size, SIZE_MAX), "the gzip file is damaged");
	str_free(&text);
	str_free(&back);
	free(packed);
}

int main(void)
{
	check_plain();
	check_layers();
	check_damage();
	check_mutations(TWO ",\"mode\":\"diff\",\"arrival\":true", 3, "0,0,0,1,1,0,2,0,100,0,200,1,4,7,1,1,1,50");
	check_mutations(",\"chart\":true", 3, "0,0,1,1,200,1,5,100,1,3,50");
	check_gzip();
	str_free(&picture);
	str_free(&lines);
	return check_done();
}
