// A Rust source that is work for the compiler.
use std::collections::{BTreeMap, HashMap, HashSet};
use std::fmt::Debug;

fn count<T: Debug + Ord + Clone>(items: &[T]) -> BTreeMap<T, usize> {
    let mut counts = BTreeMap::new();
    for item in items {
        *counts.entry(item.clone()).or_insert(0) += 1;
    }
    counts
}

fn main() {
    let words: Vec<String> = (0..1000).map(|i| format!("word{}", i % 37)).collect();
    let numbers: Vec<u64> = words.iter().map(|w| w.len() as u64).collect();
    let pairs: Vec<(u8, char)> = words.iter().flat_map(|w| w.chars()).map(|c| (c as u8, c)).collect();
    let index: HashMap<&str, Vec<usize>> = words.iter().enumerate().fold(HashMap::new(), |mut map, (i, w)| {
        map.entry(w.as_str()).or_insert_with(Vec::new).push(i);
        map
    });
    let unique: HashSet<&String> = words.iter().collect();
    println!("{:?} {:?} {:?}", count(&words), count(&numbers), count(&pairs));
    println!("{} {}", index.len(), unique.len());
}
