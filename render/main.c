/* pyrograph-render: folded lines -> one picture. */
#include <malloc.h>

#include "render/charts.h"

/* Blocks larger than this go back to the system when they are freed; by default malloc() keeps blocks of up to 32
 * MB. */
enum { KEPT_BYTES = 1 << 20 };

enum { VERBS_MAX = 64 };

int main(int argc, char **argv)
{
	struct verb verbs[VERBS_MAX] = { 0 };
	size_t count = 0;

	mallopt(M_MMAP_THRESHOLD, KEPT_BYTES);
	for (const struct chart_entry *const *chart = charts; *chart; chart++) {
		if ((*chart)->verb.run)
			verbs[count++] = (*chart)->verb;
	}
	verbs[count++] = (struct verb){ "folded", "the folded lines that a picture was made from", folded_run };
	verbs[count++] = (struct verb){ "script", "the script that 'flame --script URL' refers to", script_run };
	return verbs_run(verbs, "pyrograph render",
			 "  pyrograph collapse rec.data | pyrograph render flame >cpu.svg\n"
			 "  pyrograph render flame --colors java -o cpu.png rec.folded\n",
			 argc, argv);
}
