/* side_band: what a recording knows of processes besides its samples: their names,
 * mappings, forks and exits. */
#ifndef COLLECT_RUN_SIDE_BAND_H
#define COLLECT_RUN_SIDE_BAND_H

struct collection;

/* Choose the event that tells of them: the first one, or if there is none, or it sees
 * too little, one that counts nothing.  All other events are there. */
void side_band_add(struct collection *c);

/* Write what was there before: of all processes, or of the targets.  Returns 0, or -1
 * after a message. */
int side_band_begin(struct collection *c);

#endif
