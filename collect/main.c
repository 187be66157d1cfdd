/* pyrograph collect: records a running system.  A collector is a file of its own
 * and a row here. */
#include "collect/cpu.h"
#include "core/verbs.h"

static const char examples[] =
	"  pyrograph collect cpu -a -d 5 -o rec.data        the whole machine\n"
	"  pyrograph collect cpu -p PID -F 999 -o rec.data  a process, until Ctrl-C\n"
	"  pyrograph collect cpu -- make -j8                a command\n";

static const struct verb verbs[] = {
	{ "cpu", "stacks of what runs, sampled: which code uses the CPUs", collect_cpu },
	{0}
};

int main(int argc, char **argv)
{
	return verbs_run(verbs, "pyrograph collect", examples, argc, argv);
}
