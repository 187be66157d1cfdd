/* pyrograph-render: folded lines -> one picture. */
#include "core/verbs.h"
#include "render/charts.h"

static const struct verb verbs[] = {
	{ "flame", "a flame graph: who calls whom, and how much it costs", flame_run },
	{ "heat", "a heat map: when things happen, or how long they take, over time", heat_run },
	{ "states", "scheduler states: who waits for a CPU, and who has it", states_run },
	{ "tenancy", "which threads ran on which CPUs, in sum or over time", tenancy_run },
	{ "folded", "the folded lines that a picture was made from", folded_run },
	{ "script", "the script that 'flame --script URL' refers to", script_run },
	{0}
};

int main(int argc, char **argv)
{
	return verbs_run(verbs, "pyrograph render",
			 "  pyrograph collapse rec.data | pyrograph render flame >cpu.svg\n"
			 "  pyrograph render flame --colors java -o cpu.png rec.folded\n",
			 argc, argv);
}
