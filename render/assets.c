#include "render/assets.h"

ASSET(flame_css, "render/flame.css")
ASSET(profile_js, "render/profile.js")
ASSET(flame_js, "render/flame.js")
