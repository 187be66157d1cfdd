/* assets: the files of render/browser/, which are built into the program. */
#ifndef RENDER_DRAWING_ASSETS_H
#define RENDER_DRAWING_ASSETS_H

#include "core/asset.h"

/* The file render/browser/NAME, such as "common/tip.js".  It must exist. */
struct asset browser_file(const char *name);

#endif
