#include "web/assets.h"

ASSET(style_css, "web/style.css")
ASSET(index_js, "web/index.js")
