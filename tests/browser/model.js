// The flame graph's model (render/browser, what needs no DOM), in node.  Prints TAP.
"use strict";

require("./model_lib");
for (const part of ["trees", "layers"])
  require(`./model_${part}`)();
