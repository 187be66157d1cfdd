/* noise: the verb "pyrograph collect noise": who disturbs what runs on a CPU. */
#ifndef COLLECT_NOISE_NOISE_H
#define COLLECT_NOISE_NOISE_H

int noise_run(int argc, char **argv);

#endif
