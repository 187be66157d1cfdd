/* sibling: the other programs of Pyrograph, which lie beside the one that runs. */
#ifndef CORE_SIBLING_H
#define CORE_SIBLING_H

#include "core/str.h"

/* Append the path of the program of this name in the directory of ours; the name alone if that is unknown. */
void sibling_path(const char *name, struct str *path);

#endif
