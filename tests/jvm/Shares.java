import java.lang.management.CompilationMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.HashMap;

/* Programs that spend their time in methods that a compiler inlines, by name:
 *
 *     Shares virtual | two | middle | pair | nest | numbers | arrays | strings | map | phases
 *
 * and those of SharesHeldOut.  Each prints "ready" when it has been compiled: nothing was, for 0.3 s of its CPU time, or it has run
 * for 1.2 s of it.  It goes on until its input ends.  (The truth that HotSpot tells of "map" is wrong: see shares.py.) */
public class Shares {
	static volatile long sink;
	static long field;
	static volatile boolean ended;

	/* ---- virtual: a loop over virtual calls, in a method that is inlined into the loop around it ---- */

	interface Shape {
		double area();
	}

	static final class Circle implements Shape {
		final double r;
		Circle(double r) { this.r = r; }
		public double area() { return 3.14159 * r * r; }
	}

	static final class Square implements Shape {
		final double a;
		Square(double a) { this.a = a; }
		public double area() { return a * a; }
	}

	static final class Triangle implements Shape {
		final double a, h;
		Triangle(double a, double h) { this.a = a; this.h = h; }
		public double area() { return a * h / 2; }
	}

	static Shape[] shapes = new Shape[4096];

	static double sum(Shape[] all) {
		double total = 0;

		for (Shape s : all)
			total += s.area();
		return total;
	}

	/* ---- two: the same with two shapes only, which are inlined by their class ---- */
	static Shape[] two = new Shape[4096];

	static double sumOfTwo(Shape[] all) {
		double total = 0;

		for (Shape s : all)
			total += s.area();
		return total;
	}

	/* ---- middle: what works is inlined into what does next to nothing ---- */

	static int leafWork(int n) {
		int x = 1;

		for (int i = 0; i < n; i++)
			x = x * 31 + (x >>> 7) ^ i;
		return x;
	}

	static void middleStep(int n) {
		field += leafWork(n);
	}

	/* ---- pair: two, in turn ---- */

	static int shorter(int[] data, int seed) {
		int x = seed;

		for (int i = 0; i < data.length - 3300; i++)
			x = (x ^ data[i]) * 0x9E3779B9 >>> 3;
		return x;
	}

	static int longer(int[] data, int seed) {
		int x = seed;

		for (int value : data)
			x = (x + value) * 0x85EBCA6B >>> 5;
		return x;
	}

	static int both(int[] data, int seed) {
		return shorter(data, seed) + longer(data, seed + 1);
	}

	/* ---- nest: work at each level ---- */

	static int level3(int[] data, int at) {
		int x = at;

		for (int i = at & 7; i < data.length; i++)
			x += data[i] * x ^ i;
		return x;
	}

	static int level2(int[] data, int at) {
		int x = level3(data, at) + at;

		for (int i = 0; i < data.length >> 1; i++)
			x = x * 17 ^ data[(x & 1023)];
		return x;
	}

	static int level1(int[] data, int at) {
		int x = level2(data, at);

		for (int i = 0; i < data.length >> 3; i++)
			x = Integer.rotateLeft(x, data[i]) + x / (i + 3);
		return x + level3(data, x & 8191);
	}

	/* ---- arrays: filled, copied, summed, sorted by insertion ---- */

	static void fill(int[] to, int seed) {
		for (int i = 0; i < to.length; i++)
			to[i] = seed = seed * 1103515245 + 12345;
	}

	static void sort(int[] data, int n) {
		for (int i = 1; i < n; i++) {
			int value = data[i], j = i - 1;

			while (j >= 0 && data[j] > value) {
				data[j + 1] = data[j];
				j--;
			}
			data[j + 1] = value;
		}
	}

	static int total(int[] data) {
		int sum = 0;

		for (int x : data)
			sum += x >>> 3;
		return sum;
	}

	static int arrays(int seed) {
		int[] data = new int[2048];

		fill(data, seed);
		sort(data, 100);
		return total(data);
	}

	/* ---- strings ---- */

	static int hashOf(String s) {
		int h = 7;

		for (int i = 0; i < s.length(); i++)
			h = h * 31 + s.charAt(i);
		return h;
	}

	static String describe(int n) {
		StringBuilder to = new StringBuilder();

		to.append("item ").append(n).append(' ').append(n * 3).append(" of ");
		to.append(n & 15);
		return to.toString();
	}

	static int strings(int n) {
		String s = describe(n);

		return hashOf(s) + s.indexOf("of");
	}

	/* ---- map ---- */

	static int look(HashMap<Integer, Integer> map, int n) {
		Integer found = map.get(n & 4095);

		return found != null ? found : 0;
	}

	static void count(HashMap<Integer, Integer> map, int n) {
		Integer old = map.get(n & 1023);

		map.put(n & 1023, old == null ? 1 : old + 1);
	}

	/* ---- numbers: a table with open addressing ---- */
	static final class Numbers {
		final int[] keys = new int[4096], values = new int[4096];

		int slot(int key) {
			int i = key * 0x9E3779B9 >>> 20;

			while (keys[i] != 0 && keys[i] != key)
				i = i + 1 & 4095;
			return i;
		}

		void add(int key, int value) {
			int i = slot(key);

			keys[i] = key;
			values[i] += value;
		}

		int get(int key) {
			return values[slot(key)];
		}
	}

	static int numbers(Numbers all, int n) {
		all.add((n * 31 & 2047) + 1, n);
		return all.get((n & 4095) + 1) + all.get((n * 3 & 2047) + 1);
	}

	/* ---- phases: loops that only calculate: they need no check, and thus no debug information ---- */

	static long scramble(int n) {
		long x = n;

		for (int i = 0; i < n; i++)
			x += i ^ x << 1;
		return x;
	}

	static long generate(int n) {
		long x = n;

		for (int i = 0; i < n * 8; i++)
			x = x * 6364136223846793005L + 1442695040888963407L;
		return x;
	}

	static double roots(int n) {
		double sum = 0;

		for (int i = 0; i < n; i++)
			sum += Math.sqrt(i);
		return sum;
	}

	/* ---- turns of each ---- */

	static final int[] data = new int[8192];
	static final HashMap<Integer, Integer> map = new HashMap<>();
	static final Numbers table = new Numbers();

	static void turnVirtual(int n) { sink += (long)sum(shapes); }
	static void turnTwo(int n) { sink += (long)sumOfTwo(two); }
	static void turnMiddle(int n) { for (int i = 0; i < 100; i++) middleStep(5000 + (n + i & 63)); }
	static void turnPair(int n) { for (int i = 0; i < 60; i++) field += both(data, n + i); }
	static void turnNest(int n) { for (int i = 0; i < 100; i++) field += level1(data, n + i); }
	static void turnArrays(int n) { for (int i = 0; i < 50; i++) field += arrays(n + i); }
	static void turnStrings(int n) { for (int i = 0; i < 200; i++) field += strings(n + i); }
	static void turnPhases(int n) { sink += scramble(20000 + (n & 63)) + generate(9000) + (long)roots(6000 + (n & 63)); }
	static void turnMap(int n) {
		for (int i = 0; i < 500; i++) {
			field += look(map, n * 7 + i);
			count(map, n + i);
		}
	}

	static void turnNumbers(int n) { for (int i = 0; i < 500; i++) field += numbers(table, n + i); }

	static void turn(String what, int n) {
		switch (what) {
		case "virtual": turnVirtual(n); break;
		case "two": turnTwo(n); break;
		case "middle": turnMiddle(n); break;
		case "pair": turnPair(n); break;
		case "nest": turnNest(n); break;
		case "arrays": turnArrays(n); break;
		case "strings": turnStrings(n); break;
		case "map": turnMap(n); break;
		case "phases": turnPhases(n); break;
		case "numbers": turnNumbers(n); break;
		default: SharesHeldOut.turn(what, n);
		}
	}

	static final ThreadMXBean thread = ManagementFactory.getThreadMXBean();
	static final CompilationMXBean compilers = ManagementFactory.getCompilationMXBean();
	static long compiled, compiledAt;

	/* Of the thread that asks, after each turn.  Under -Xint, there is no compiler. */
	static boolean isCompiled() {
		long now = thread.getCurrentThreadCpuTime(), sum = compilers == null ? 0 : compilers.getTotalCompilationTime();

		if (sum != compiled) {
			compiled = sum;
			compiledAt = now;
		}
		return now > 1_200_000_000L || now - compiledAt > 300_000_000L;
	}

	public static void main(String[] args) throws Exception {
		for (int i = 0; i < shapes.length; i++) {
			two[i] = i % 3 == 0 ? new Circle(i) : new Square(i);
			shapes[i] = i % 3 == 0 ? new Circle(i) : i % 3 == 1 ? new Square(i) : new Triangle(i, 2);
		}
		for (int i = 0; i < data.length; i++)
			data[i] = i * 7919 ^ i >>> 3;
		Thread reader = new Thread(() -> {
			try {
				while (System.in.read() >= 0)
					;
			} catch (java.io.IOException e) {
				System.err.println(e);
			}
			ended = true;
		});
		reader.setDaemon(true);
		reader.start();
		boolean told = false;
		for (int n = 0; !ended; n++) {
			turn(args[0], n);
			if (!told && isCompiled()) {
				told = true;
				System.out.println("ready");
			}
		}
	}
}
