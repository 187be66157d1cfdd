// hot: runs for the given seconds; hot() begins interpreted and is compiled, again and again.
function hot(n) {
  let sum = 0;
  for (let i = 0; i < n; i++)
    sum += Math.sqrt(i) * (i & 7);
  return sum;
}
function outer(n) {
  return hot(n) + 1;
}
const until = Date.now() + 1000 * process.argv[2];
while (Date.now() < until)
  outer(100000);
