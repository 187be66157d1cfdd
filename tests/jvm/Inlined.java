/* A nest of methods of which it is known where each calls the next, compiled before "ready". */
public class Inlined {
	static int calls;

	static int leaf(int x) {
		calls++;
		return x ^ calls;
	}

	static int inner(int x) {
		return leaf(x);
	}

	static int middle(int x) {
		calls += 2;
		return inner(x) + 1;
	}

	static int outer(int x) {
		return middle(x) + middle(x + 1);
	}

	public static void main(String[] args) throws Exception {
		int sum = 0;

		for (int i = 0; i < 200000; i++)
			sum += outer(i);
		System.out.println("ready " + (sum + calls == 0 ? "0" : "1"));
		while (System.in.read() >= 0)
			;
	}
}
