/* More programs of Shares, by which nothing was chosen: what is found with those is tried with these.
 *
 *     Shares parse | chains | matrix | visit | tree  */
class SharesHeldOut {
	/* ---- parse: numbers and names out of text, and text out of numbers ---- */

	static final String text = "alpha = 12 + beta3 * (77 - gamma) / 4096; delta = alpha - 8 * 33 + (epsilon - 5);";

	static boolean isDigit(char c) { return c >= '0' && c <= '9'; }
	static boolean isLetter(char c) { return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'; }

	static int skipName(String s, int at) {
		while (at < s.length() && (isLetter(s.charAt(at)) || isDigit(s.charAt(at))))
			at++;
		return at;
	}

	static int number(String s, int at) {
		int value = 0;

		for (; at < s.length() && isDigit(s.charAt(at)); at++)
			value = value * 10 + s.charAt(at) - '0';
		return value;
	}

	static int skipNumber(String s, int at) {
		while (at < s.length() && isDigit(s.charAt(at)))
			at++;
		return at;
	}

	static int tokens(String s, StringBuilder to) {
		int sum = 0;

		to.setLength(0);
		for (int at = 0; at < s.length();) {
			char c = s.charAt(at);

			if (isDigit(c)) {
				sum += number(s, at);
				at = skipNumber(s, at);
				to.append(sum & 63).append(',');
			} else if (isLetter(c)) {
				int end = skipName(s, at);

				sum = sum * 31 + end - at;
				to.append(s, at, end);
				at = end;
			} else {
				at++;
			}
		}
		return sum + to.length();
	}

	/* ---- chains: a map of chains of small objects ---- */

	static final class Key {
		final int a, b;
		Key(int a, int b) { this.a = a; this.b = b; }
		int hash() { return (a * 31 + b) * 0x9E3779B9 >>> 22; }
		boolean same(Key k) { return a == k.a && b == k.b; }
	}

	static final class Entry {
		final Key key;
		final Entry next;
		long count;
		Entry(Key key, Entry next) { this.key = key; this.next = next; }
	}

	static final class Chains {
		Entry[] heads = new Entry[1024];
		int size;

		Entry find(Key k) {
			for (Entry e = heads[k.hash()]; e != null; e = e.next) {
				if (e.key.same(k))
					return e;
			}
			return null;
		}

		Entry put(Key k) {
			int at = k.hash();

			size++;
			return heads[at] = new Entry(k, heads[at]);
		}

		void count(int a, int b) {
			Key k = new Key(a, b);
			Entry e = find(k);

			if (e == null)
				e = put(k);
			e.count += a;
		}

		long total() {
			long sum = 0;

			for (Entry head : heads) {
				for (Entry e = head; e != null; e = e.next)
					sum += e.count;
			}
			return sum;
		}
	}

	/* ---- matrix: a kernel of helpers ---- */

	static final class Matrix {
		final double[] cells;
		final int size;

		Matrix(int size) { this.size = size; cells = new double[size * size]; }
		double get(int row, int column) { return cells[row * size + column]; }
		void set(int row, int column, double value) { cells[row * size + column] = value; }

		double row(Matrix b, int row, int column) {
			double sum = 0;

			for (int i = 0; i < size; i++)
				sum += get(row, i) * b.get(i, column);
			return sum;
		}

		void multiply(Matrix a, Matrix b) {
			for (int row = 0; row < size; row++) {
				for (int column = 0; column < size; column++)
					set(row, column, a.row(b, row, column));
			}
		}

		double norm() {
			double most = 0;

			for (double cell : cells)
				most = Math.max(most, Math.abs(cell));
			return most;
		}

		void scale(double by) {
			for (int i = 0; i < cells.length; i++)
				cells[i] /= by;
		}
	}

	/* ---- visit: two visitors of four kinds of nodes ---- */

	interface Visitor {
		long constant(int value);
		long add(Node left, Node right);
		long multiply(Node left, Node right);
		long negate(Node of);
	}

	interface Node {
		long accept(Visitor v);
	}

	static Node made(int n, int depth) {
		if (depth == 0)
			return v -> v.constant(n);
		Node left = made(n * 3 + 1, depth - 1), right = made(n * 5 + 2, depth - 1);
		switch (n % 3) {
		case 0: return v -> v.add(left, right);
		case 1: return v -> v.multiply(left, right);
		default: return v -> v.negate(left);
		}
	}

	static final class Value implements Visitor {
		public long constant(int value) { return value; }
		public long add(Node left, Node right) { return left.accept(this) + right.accept(this); }
		public long multiply(Node left, Node right) { return left.accept(this) * right.accept(this) % 1000003; }
		public long negate(Node of) { return -of.accept(this); }
	}

	static final class Weight implements Visitor {
		public long constant(int value) { return Integer.bitCount(value); }
		public long add(Node left, Node right) { return 1 + left.accept(this) + right.accept(this); }
		public long multiply(Node left, Node right) { return 2 + left.accept(this) + right.accept(this); }
		public long negate(Node of) { return 1 + of.accept(this); }
	}

	static long visit(Node node, Visitor v) { return node.accept(v); }

	/* ---- tree: a search tree that is walked by recursion, with small leaves ---- */

	static final class Tree {
		int key, count;
		Tree left, right;

		Tree(int key) { this.key = key; }

		static int mix(int x) {
			x ^= x >>> 15;
			x *= 0x2c1b3c6d;
			return x ^ x >>> 12;
		}

		static int compare(int a, int b) { return a < b ? -1 : a == b ? 0 : 1; }

		void add(int wanted) {
			int order = compare(wanted, key);

			if (order == 0)
				count++;
			else if (order < 0 && left != null)
				left.add(wanted);
			else if (order > 0 && right != null)
				right.add(wanted);
			else if (order < 0)
				left = new Tree(wanted);
			else
				right = new Tree(wanted);
		}

		int sum() {
			int sum = mix(key) + count;

			if (left != null)
				sum += left.sum();
			if (right != null)
				sum ^= right.sum();
			return sum;
		}
	}

	/* ---- turns of each ---- */

	static final StringBuilder to = new StringBuilder();
	static final Chains chains = new Chains();
	static final Matrix a = new Matrix(48), b = new Matrix(48), c = new Matrix(48);
	static final Node node = made(7, 9);
	static final Visitor[] visitors = { new Value(), new Weight() };
	static final Tree tree = new Tree(1 << 30);

	static {
		for (int i = 0; i < a.cells.length; i++) {
			a.cells[i] = i % 17;
			b.cells[i] = i % 13 + 0.5;
		}
	}

	static void turnParse(int n) { for (int i = 0; i < 100; i++) Shares.field += tokens(text, to) + n; }
	static void turnVisit(int n) { for (int i = 0; i < 20; i++) Shares.field += visit(node, visitors[n + i & 1]); }

	static void turnChains(int n) {
		for (int i = 0; i < 500; i++)
			chains.count(n + i & 127, i & 15);
		Shares.field += chains.total();
	}

	static void turnMatrix(int n) {
		c.multiply(a, b);
		c.scale(c.norm() + n);
		Shares.field += (long)c.get(1, n & 31);
	}

	static void turnTree(int n) {
		for (int i = 0; i < 300; i++)
			tree.add(Tree.mix(n * 300 + i) >>> 20);
		Shares.field += tree.sum();
	}

	static void turn(String what, int n) {
		switch (what) {
		case "parse": turnParse(n); break;
		case "chains": turnChains(n); break;
		case "matrix": turnMatrix(n); break;
		case "visit": turnVisit(n); break;
		case "tree": turnTree(n); break;
		default: throw new IllegalArgumentException(what);
		}
	}
}
