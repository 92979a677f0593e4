//! Finds what two of several owners share. Patterns are kept in a tree by the names that they begin with, so that only
//! those are compared of which one could lie within the other.

use std::collections::{BTreeMap, HashMap};

use crate::models::plan::OwnedPattern;

/// Two patterns of different owners, and a path that both own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shared {
    /// The earlier owner, and which of its patterns it is.
    pub left: (usize, usize),
    /// The later one.
    pub right: (usize, usize),
    /// A path that both own.
    pub path: String,
}

#[derive(Default)]
struct Node<'p> {
    below: HashMap<&'p str, usize>,
    /// The patterns whose first glob comes right after this name.
    ending: Vec<(usize, usize)>,
}

/// Finds for every two owners something that they share, if there is anything, in their order.
pub fn shared_paths(owners: &[Vec<&OwnedPattern>]) -> Vec<Shared> {
    let mut nodes = vec![Node::default()];
    let mut found: BTreeMap<(usize, usize), Shared> = BTreeMap::new();
    for (owner, patterns) in owners.iter().enumerate() {
        for (number, pattern) in patterns.iter().enumerate() {
            let end = *way(&mut nodes, pattern).last().unwrap_or(&0);
            nodes[end].ending.push((owner, number));
        }
    }
    for (owner, patterns) in owners.iter().enumerate() {
        for (number, pattern) in patterns.iter().enumerate() {
            let this = (owner, number);
            let way = way(&mut nodes, pattern);
            for (step, node) in way.iter().enumerate() {
                // A pair is compared where its shorter beginning ends; where both end in one place, once.
                let ends_here = step + 1 == way.len();
                for other in nodes[*node].ending.iter().copied() {
                    let (left, right) = (this.min(other), this.max(other));
                    if left.0 == right.0
                        || (ends_here && other > this)
                        || found.contains_key(&(left.0, right.0))
                    {
                        continue;
                    }
                    if let Some(path) = owners[left.0][left.1].shared_with(owners[right.0][right.1])
                    {
                        found.insert((left.0, right.0), Shared { left, right, path });
                    }
                }
            }
        }
    }
    found.into_values().collect()
}

/// Lists the nodes on the way of a pattern from the root on, and makes those that are not there yet.
fn way<'p>(nodes: &mut Vec<Node<'p>>, pattern: &'p OwnedPattern) -> Vec<usize> {
    let mut way = vec![0];
    let mut at = 0;
    for name in pattern.literal_names() {
        let new = nodes.len();
        at = *nodes[at].below.entry(name).or_insert(new);
        if at == new {
            nodes.push(Node::default());
        }
        way.push(at);
    }
    way
}
