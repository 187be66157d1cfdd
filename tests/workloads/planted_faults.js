/* planted_faults.js NAME SECONDS: a service with one planted fault, as planted_faults.c has.
 *
 *     turn        once a second its event loop has a turn of 100 ms: everybody else has to wait     buildReport
 *     saturated   a request takes 40 ms, and they come faster: the event loop never waits           answerSlowly
 *     endless     one turn does not end                                                             drainQueue
 *
 * Prints "ready" when a client, in a process of its own, asks. */
const { fork } = require("child_process");
const http = require("http");

function work(ms) {
  const end = performance.now() + ms;
  let sum = 0;
  while (performance.now() < end)
    for (let i = 0; i < 1000; i++)
      sum += i;
  return sum;
}

function buildReport() {
  return work(100);
}

function priceOrder() {
  return work(0.3);
}

function answerSlowly(request, answer) {
  answer.end(String(work(40)));
}

function answer(request, answer) {
  answer.end(String(priceOrder()));
}

function drainQueue() {
  return work(60000);
}

function serve(name, seconds) {
  const server = http.createServer(name === "saturated" ? answerSlowly : answer);
  if (name === "turn")
    setInterval(buildReport, 1000);
  server.listen(0, "127.0.0.1", () => {
    const client = fork(process.argv[1], ["client", server.address().port], { execArgv: [] });
    client.once("message", () => {
      require("fs").writeSync(1, "ready\n"); /* console.log() may write at the end of the turn */
      if (name === "endless")
        setImmediate(drainQueue);
    });
    setTimeout(() => {
      client.kill();
      process.exit(0);
    }, seconds * 1000);
  });
}

/* Sends a request every 5 ms, whatever has been answered. */
function ask(port) {
  const agent = new http.Agent({ keepAlive: true, maxSockets: 4 });
  let told = false;
  setInterval(() => {
    http.get({ port, agent, host: "127.0.0.1" }, (answer) => {
      answer.resume();
      if (!told)
        process.send("asks");
      told = true;
    }).on("error", () => process.exit(0));
  }, 5);
  process.once("disconnect", () => process.exit(0));
}

if (process.argv[2] === "client")
  ask(Number(process.argv[3]));
else
  serve(process.argv[2], Number(process.argv[3]));
