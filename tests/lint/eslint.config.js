// Only a few rules: each one in "rules" has found a defect somewhere; make format applies those of layout().
"use strict";

const style = require("@stylistic/eslint-plugin");

const browser = ["window", "document", "location", "history", "navigator", "localStorage", "console", "performance",
  "setTimeout", "clearTimeout", "setInterval", "clearInterval", "requestAnimationFrame", "cancelAnimationFrame", "matchMedia",
  "getComputedStyle", "URL", "URLSearchParams", "Blob", "Image", "XMLSerializer", "DOMParser", "FileReader", "Event",
  "CustomEvent", "MouseEvent", "KeyboardEvent", "Node", "Element", "SVGElement", "HTMLElement", "OffscreenCanvas", "Path2D", "ImageData",
  "TextDecoder", "TextEncoder", "CompressionStream", "DecompressionStream", "Response", "ResizeObserver",
  "MutationObserver", "addEventListener", "removeEventListener", "innerWidth", "innerHeight", "scrollY", "scrollX",
  "scrollTo", "atob", "btoa", "fetch", "Intl", "CSS", "alert", "prompt", "confirm", "devicePixelRatio", "queueMicrotask",
  "structuredClone", "Worker", "PointerEvent", "IntersectionObserver", "pyrograph", "pyrographTimeline", "dispatchEvent", "requestIdleCallback", "DOMMatrix", "DOMPoint", "top", "parent", "self", "opener", "frames", "screen", "HTMLInputElement"];
const rules = {
  "no-undef": "error",
  "no-unused-vars": ["error", { args: "after-used", caughtErrors: "none" }],
  "no-dupe-keys": "error",
  "no-dupe-args": "error",
  "no-duplicate-case": "error",
  "no-fallthrough": "error",
  "no-func-assign": "error",
  "no-import-assign": "error",
  "no-self-assign": "error",
  "no-shadow-restricted-names": "error",
  "no-unreachable": "error",
  "no-unsafe-finally": "error",
  "no-unsafe-negation": "error",
  "no-eval": "error",
  "no-implied-eval": "error",
  "no-new-func": "error",
  "no-cond-assign": "error",
  "no-const-assign": "error",
  "no-loss-of-precision": "error",
  "use-isnan": "error",
  "valid-typeof": "error",
  "eqeqeq": ["error", "always", { null: "ignore" }],
  "prefer-const": ["error", { destructuring: "all" }],
  "no-var": "error",
  "max-len": ["error", { code: 120, tabWidth: 8, ignoreUrls: true, ignoreTemplateLiterals: true }],
};

// Authors choose where a line ends, at column 120 at the latest; indentation, spaces and quotes are fixed.
const layout = (indent, quotes) => ({
  "style/indent": ["error", indent, { SwitchCase: 0 }],
  "style/quotes": ["error", quotes, { avoidEscape: true, allowTemplateLiterals: "always" }],
  "style/semi": "error",
  "style/comma-style": "error",
  "style/brace-style": ["error", "1tbs", { allowSingleLine: true }],
  "style/nonblock-statement-body-position": ["error", "below"],
  "style/arrow-parens": "error",
  "style/space-before-function-paren": ["error", { anonymous: "always", named: "never", asyncArrow: "always" }],
  "style/space-before-blocks": "error",
  "style/space-in-parens": "error",
  "style/space-infix-ops": "error",
  "style/space-unary-ops": "error",
  "style/object-curly-spacing": ["error", "always"],
  "style/array-bracket-spacing": "error",
  "style/block-spacing": "error",
  "style/arrow-spacing": "error",
  "style/comma-spacing": "error",
  "style/semi-spacing": "error",
  "style/key-spacing": "error",
  "style/keyword-spacing": "error",
  "style/function-call-spacing": "error",
  "style/no-multi-spaces": ["error", { ignoreEOLComments: true }],
  "style/no-trailing-spaces": "error",
  "style/no-multiple-empty-lines": ["error", { max: 1, maxBOF: 1, maxEOF: 0 }],
  "style/eol-last": "error",
});
const globals = (names) => Object.fromEntries(names.map((name) => [name, "readonly"]));

const plugins = { style };
// The parts of a script share one name, pyrograph, which the first part that needs it creates.
const script = { ...rules, "no-var": "off", "no-redeclare": "off" };

module.exports = [
  {
    files: ["render/browser/**/*.js"],
    plugins,
    languageOptions: { ecmaVersion: 2020, sourceType: "script", globals: globals(browser) },
    rules: { ...script, ...layout("tab", "single") },
  },
  {
    files: ["web/*.js"],
    plugins,
    languageOptions: { ecmaVersion: 2020, sourceType: "script", globals: globals(browser) },
    rules: { ...script, ...layout(2, "double") },
  },
  {
    files: ["tests/**/*.js"],
    ignores: ["**/node_modules/**"],
    plugins,
    languageOptions: { ecmaVersion: 2022, sourceType: "commonjs",
      globals: { ...globals(browser), ...globals(["require", "module", "process", "__dirname", "Buffer", "setImmediate"]) } },
    rules: { ...rules, ...layout(2, "double"), "max-len": "off" },
  },
  {
    files: ["tests/**/*.mjs"],
    ignores: ["**/node_modules/**"],
    plugins,
    languageOptions: { ecmaVersion: 2022, globals: { ...globals(browser), ...globals(["process", "Buffer"]) } },
    rules: { ...rules, ...layout(2, "double"), "max-len": "off" },
  },
];
