/* Colours come from names alone, and stay what they were. */
#include "render/palette.h"
#include "tests/unit/check.h"

static uint32_t colour(const char *palette, const char *name)
{
	return palette_colour(palette_find(palette), name, strlen(name));
}

static int is_between(uint32_t rgb, int r0, int r1, int g0, int g1, int b0, int b1)
{
	int r = (int)(rgb >> 16), g = (int)(rgb >> 8 & 255), b = (int)(rgb & 255);

	return r >= r0 && r < r1 && g >= g0 && g < g1 && b >= b0 && b < b1;
}

int main(void)
{
	char name[32];
	int hot = 0, mem = 0, io = 0;

	/* written down once: a change would break every comparison with old pictures */
	CHECK(colour("hot", "main") == 0xf00727);
	CHECK(colour("hot", "foo") == 0xe0a115);
	for (int i = 0; i < 1000; i++) {
		snprintf(name, sizeof(name), "function_%d", i);
		hot += is_between(colour("hot", name), 205, 255, 0, 230, 0, 55);
		mem += is_between(colour("mem", name), 0, 1, 190, 240, 0, 210);
		io += is_between(colour("io", name), 80, 140, 80, 140, 190, 245);
	}
	CHECK(hot == 1000);
	CHECK(mem == 1000);
	CHECK(io == 1000);

	CHECK(is_between(colour("java", "a_[j]"), 50, 110, 200, 255, 50, 110));
	CHECK(is_between(colour("java", "a_[1]"), 50, 110, 200, 255, 50, 110));
	CHECK(is_between(colour("java", "Lcom/x/Y::a"), 50, 110, 200, 255, 50, 110));
	CHECK(is_between(colour("java", "a_[i]"), 50, 110, 165, 220, 165, 220));
	CHECK(is_between(colour("java", "a_[k]"), 190, 255, 90, 155, 0, 1));
	CHECK(is_between(colour("java", "A::b"), 175, 230, 175, 230, 50, 70));
	CHECK(is_between(colour("java", "read"), 200, 255, 50, 130, 50, 130));
	CHECK(colour("java", "--") == 0xa0a0a0 && colour("hot", "-") == 0xc8c8c8);
	CHECK(colour("hot", "a_[k]") == colour("hot", "a"));
	CHECK(colour("hot", "ab") != colour("hot", "ba"));
	CHECK(background_find("#102030").top == 0x102030);
	return check_done();
}
