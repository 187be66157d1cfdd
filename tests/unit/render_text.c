/* Numbers, widths, labels and file names. */
#include <math.h>

#include "render/drawing/canvas.h"
#include "render/drawing/font.h"
#include "render/flame/split_page.h"
#include "render/profile/frame.h"
#include "render/profile/number.h"
#include "tests/unit/check.h"

static const char *shown_in(const char *name, uint64_t value, unsigned decimals, double factor)
{
	static struct str out;
	struct unit unit = { name, decimals, factor };

	str_clear(&out);
	value_add(&out, value, &unit);
	return str_text(&out);
}

static const char *shown(uint64_t value, unsigned decimals, double factor)
{
	return shown_in("x", value, decimals, factor);
}

static const char *percent(uint64_t part, uint64_t whole)
{
	static struct str out;

	str_clear(&out);
	percentage_add(&out, part, whole);
	return str_text(&out);
}

static const char *fitted(const char *text, int64_t room_px)
{
	static struct str out;
	struct font font = font_make("Verdana", 12);

	str_clear(&out);
	font_fit(&out, &font, text, strlen(text), room_px * CPX, 3);
	return str_text(&out);
}

static const char *file_name(struct split_names *names, const char *name)
{
	static struct str out;

	str_clear(&out);
	split_name_add(&out, names, name, strlen(name), ".svg");
	return str_text(&out);
}

static void check_numbers(void)
{
	CHECK_TEXT(shown(0, 0, 1), "0 x");
	CHECK_TEXT(shown(999, 0, 1), "999 x");
	CHECK_TEXT(shown(1234567, 0, 1), "1,234,567 x");
	CHECK_TEXT(shown(UINT64_MAX, 0, 1), "18,446,744,073,709,551,615 x");
	CHECK_TEXT(shown(1234050, 3, 1), "1,234.05 x");
	CHECK_TEXT(shown(5000, 3, 1), "5 x");
	CHECK_TEXT(shown(15, 1, 1000), "1,500 x");
	CHECK_TEXT(shown(5, 0, 0.001), "0.005 x");
	CHECK_TEXT(shown(12345, 1, 0.01), "12.3 x");
	CHECK_TEXT(shown(99970, 0, 0.001), "100 x");
	CHECK_TEXT(shown(1234567, 0, 0.001), "1,235 x");
	CHECK_TEXT(shown(0, 0, 0.001), "0 x");
	CHECK_TEXT(shown(3, 0, 0.5), "1.5 x");
	CHECK_TEXT(shown_in("ns", 23090858348, 0, 1), "23.1 s");
	CHECK_TEXT(shown_in("ns", 23090858348123, 3, 1), "23.1 s");
	CHECK_TEXT(shown_in("ns", 9995, 1, 1), "999.5 ns");
	CHECK_TEXT(shown_in("ns", 9999, 1, 1), "999.9 ns");
	CHECK_TEXT(shown_in("ns", 10000, 1, 1), "1 \xc2\xb5s");
	CHECK_TEXT(shown_in("ns", 23090858, 0, 1000), "23.1 s"); /* counted in us */
	CHECK_TEXT(shown_in("ns", 500, 0, 0.5), "250 ns");
	CHECK_TEXT(shown_in("us", 23090858, 0, 1), "23,090,858 us");
	CHECK(value_whole(1999, &(struct unit){ "x", 3, 1 }) == 1);
	CHECK(value_whole(23090858348, &(struct unit){ "ms", 0, 1e-6 }) == 23091);
	CHECK_TEXT(percent(1, 1), "100 %");
	CHECK_TEXT(percent(1, 3), "33.3 %");
	CHECK_TEXT(percent(2, 3), "66.7 %");
	CHECK_TEXT(percent(0, 3), "0 %");
	CHECK_TEXT(percent(UINT64_MAX - 1, UINT64_MAX), "over 99.9 %");
	CHECK(scale_u64(UINT64_MAX, 118000, UINT64_MAX) == 118000);
}

static void check_labels(void)
{
	struct font font = font_make("Verdana", 12), mono = font_make("DejaVu Sans Mono", 10);

	CHECK(font_width(&mono, "abcd", 4) == 4 * 602);
	CHECK(font_width(&font, "i", 1) < font_width(&font, "W", 1));
	CHECK_TEXT(fitted("write", 100), "write");
	CHECK_TEXT(fitted("write_to_the_end", 60), "write_to..");
	CHECK_TEXT(fitted("write_to_the_end", 58), "write_t..");
	CHECK_TEXT(fitted("write_to_the_end", 20), "");
	CHECK_TEXT(fitted("w", 20), "w");
	CHECK_TEXT(fitted("w", -5), "");
	/* cut between characters: each of these is three bytes, 13.2 px wide */
	CHECK_TEXT(fitted("\xe6\x97\xa5\xe6\x9c\xac\xe8\xaa\x9e\xe6\x97\xa5\xe6\x9c\xac", 55),
		   "\xe6\x97\xa5\xe6\x9c\xac\xe8\xaa\x9e..");
	CHECK(frame_annotation("a_[k]", 5) == 'k' && frame_base_len("a_[k]", 5) == 1);
	CHECK(!frame_annotation("a_[x]", 5) && !frame_annotation("[k]", 3));
	CHECK(frame_base_len("_[k]_[j]", 8) == 4 && frame_base_len("_[k]", 4) == 0);
}

static void check_letters(void)
{
	struct font font = font_make("Verdana", 10), bold = font;
	static const char marks[] = "e\xcc\x81x\xcc\x81", joined[] = "\xf0\x9f\x91\xa9\xe2\x80\x8d";

	bold.bold = true;
	CHECK(font_width(&bold, "abc", 3) > font_width(&font, "abc", 3) * 11 / 10);
	CHECK(font_width(&font, marks, strlen(marks)) == font_width(&font, "ex", 2)); /* acute accents */
	CHECK(font_width(&font, "\xe6\x97\xa5", 3) == 10 * CPX);                      /* a square */
	CHECK(font_width(&font, joined, strlen(joined)) == 1370);                     /* an emoji, a joiner */
	CHECK(font_width(&font, "\xff", 1) == 11 * CPX);                              /* no UTF-8 */
	/* cut after the mark, not before it; three letters stay three */
	CHECK_TEXT(fitted("e\xcc\x81"
			  "e\xcc\x81"
			  "e\xcc\x81"
			  "eeee",
			  33),
		   "e\xcc\x81"
		   "e\xcc\x81"
		   "e\xcc\x81..");
	CHECK_TEXT(fitted("e\xcc\x81"
			  "e\xcc\x81"
			  "eeeee",
			  25),
		   "");
}

/* The relative luminance of sRGB (WCAG 2.1). */
static double luminance(uint32_t rgb)
{
	static const double weight[] = { 0.0722, 0.7152, 0.2126 };
	double sum = 0;

	for (int i = 0; i < 3; i++) {
		double c = (rgb >> 8 * i & 255) / 255.0;

		sum += weight[i] * (c <= 0.03928 ? c / 12.92 : pow((c + 0.055) / 1.055, 2.4));
	}
	return sum;
}

static double contrast(uint32_t a, uint32_t b)
{
	double x = luminance(a) + 0.05, y = luminance(b) + 0.05;

	return x > y ? x / y : y / x;
}

static void check_themes(void)
{
	static const char *const names[] = { "light", "dark" };

	CHECK(theme_find(theme_default()->name) == theme_default());
	CHECK(!theme_find("nosuch"));
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		const struct theme *t = theme_find(names[i]);

		for (int role = TEXT_TITLE; role < TEXT_ROLES; role++)
			CHECK(contrast(t->text[role], t->background.top) >= 4.5 &&
			      contrast(t->text[role], t->background.bottom) >= 4.5);
		CHECK(contrast(t->text[TEXT_FRAME], t->root) >= 4.5);
	}
}

static void check_file_names(void)
{
	struct split_names names = { 0 };
	char longest[400];

	CHECK_TEXT(file_name(&names, "java-8513/dw-20"), "java-8513_dw-20.svg");
	CHECK_TEXT(file_name(&names, "java-8513_dw-20"), "java-8513_dw-20-2.svg");
	CHECK_TEXT(file_name(&names, "java-8513:dw-20"), "java-8513_dw-20-3.svg");
	CHECK_TEXT(file_name(&names, "../../etc/x"), "_._.._etc_x.svg");
	CHECK_TEXT(file_name(&names, ""), "unnamed.svg");
	CHECK_TEXT(file_name(&names, ""), "unnamed-2.svg");
	CHECK_TEXT(file_name(&names, "-rf *"), "_rf__.svg");
	CHECK_TEXT(file_name(&names, "."), "_.svg");
	CHECK_TEXT(file_name(&names, "/"), "_-2.svg");
	CHECK_TEXT(file_name(&names, "GC"), "GC.svg");
	CHECK_TEXT(file_name(&names, "gc"), "gc-2.svg");
	memset(longest, 'x', sizeof(longest) - 1);
	longest[sizeof(longest) - 1] = '\0';
	CHECK(strlen(file_name(&names, longest)) < 130);
	split_names_free(&names);
}

int main(void)
{
	check_numbers();
	check_labels();
	check_letters();
	check_themes();
	check_file_names();
	return check_done();
}
