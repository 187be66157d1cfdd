// hot: runs for the given seconds of CPU time; hot() begins interpreted and is compiled, again and again.
function hot(n) {
  let sum = 0;
  for (let i = 0; i < n; i++)
    sum += Math.sqrt(i) * (i & 7);
  return sum;
}
function outer(n) {
  return hot(n) + 1;
}
const start = process.cpuUsage();
for (let used = process.cpuUsage(start); used.user + used.system < 1e6 * process.argv[2]; used = process.cpuUsage(start)) {
  for (let i = 0; i < 10; i++)
    outer(100000);
}
