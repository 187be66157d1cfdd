// Asks a page of Playwright's without the script of 266 kB that its own calls put into each document, twice: that takes
// longer than many a chart.  What is found at once, by a selector of CSS's own, is the same; all else goes the usual way.
"use strict";

const OF_PLAYWRIGHT = />>|text=|:text|:has-text|:visible|:nth-match|^\/\//;

// A function of the page's, from its text.
const made = (text) => Object.assign(() => {}, { toString: () => text });

// The result of a function of elements, in an array; none if there are none.
const ofElements = (page, selector, what, arg) => page.evaluate(made(`(arg) => {
  const all = Array.from(document.querySelectorAll(${JSON.stringify(selector)}));
  return ${what};
}`), arg);

function askPlainly(page, patience) {
  const usual = Object.fromEntries(["$$eval", "$eval", "textContent", "getAttribute", "waitForFunction"].map((name) =>
    [name, page[name].bind(page)]));
  // What is not there yet is waited for as usual.
  const first = async (name, what, selector, ...more) => {
    const found = OF_PLAYWRIGHT.test(selector) ? [] :
      await ofElements(page, selector, `all.length ? Promise.resolve((${what})(all[0], arg)).then((x) => [x]) : []`, more.slice(-1)[0]);
    return found.length ? found[0] : usual[name](selector, ...more);
  };

  page.$$eval = (selector, what, arg) => OF_PLAYWRIGHT.test(selector) ? usual.$$eval(selector, what, arg) :
    ofElements(page, selector, `(${what})(all, arg)`, arg);
  page.$eval = (selector, what, arg) => first("$eval", what, selector, what, arg);
  page.textContent = (selector) => first("textContent", "(e) => e.textContent", selector);
  page.getAttribute = (selector, name) => first("getAttribute", "(e, name) => e.getAttribute(name)", selector, name);
  page.waitForFunction = (what, arg) => page.evaluate(made(`(arg) => new Promise((done, fail) => {
    const look = async () => {
      try {
        await (${what})(arg) ? done() : requestAnimationFrame(look);
      } catch (error) {
        fail(error);
      }
    };
    look();
    setTimeout(() => fail(new Error("waited in vain")), ${patience});
  })`), arg);
}

module.exports = askPlainly;
