//! Figures by the name of their percentile.

use std::collections::BTreeMap;
use std::ops::Index;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// Figures by the name of their percentile, `p99.9`, ascending by name; an object in JSON.
// A cell has a few of them, and those of thousands of hosts are in memory together: a BTreeMap
// takes the memory of eleven for the first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PercentileMap<V>(Vec<(Box<str>, V)>);

impl<V> PercentileMap<V> {
    pub fn get(&self, name: &str) -> Option<&V> {
        self.find(name).ok().map(|place| &self.0[place].1)
    }

    pub fn insert(&mut self, name: impl Into<Box<str>>, value: V) {
        let name = name.into();
        match self.find(&name) {
            Ok(place) => self.0[place].1 = value,
            Err(place) => self.0.insert(place, (name, value)),
        }
    }

    pub fn iter(&self) -> impl Iterator<Item = (&str, &V)> {
        self.0.iter().map(|(name, value)| (&**name, value))
    }

    pub fn values_mut(&mut self) -> impl Iterator<Item = &mut V> {
        self.0.iter_mut().map(|(_, value)| value)
    }

    pub const fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    fn find(&self, name: &str) -> Result<usize, usize> {
        self.0.binary_search_by(|(known, _)| (**known).cmp(name))
    }
}

impl<V> Default for PercentileMap<V> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<V> Index<&str> for PercentileMap<V> {
    type Output = V;

    fn index(&self, name: &str) -> &V {
        &self.0[self.find(name).unwrap_or(self.0.len())].1
    }
}

impl<V, N: Into<Box<str>>> FromIterator<(N, V)> for PercentileMap<V> {
    fn from_iter<I: IntoIterator<Item = (N, V)>>(figures: I) -> Self {
        let mut map = Self::default();
        figures.into_iter().for_each(|(name, value)| map.insert(name, value));
        map.0.shrink_to_fit();
        map
    }
}

impl<V: Serialize> Serialize for PercentileMap<V> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.iter())
    }
}

impl<'de, V: Deserialize<'de>> Deserialize<'de> for PercentileMap<V> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        BTreeMap::<Box<str>, V>::deserialize(deserializer).map(Self::from_iter)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_what_a_map_is_in_json_and_takes_no_room_for_more() {
        let names = ["p99.9", "p50", "p99", "p90", "p99"];
        let figures = || names.iter().zip(1_u64..).map(|(name, n)| ((*name).to_owned(), n));
        let (ours, theirs) = (
            figures().collect::<PercentileMap<u64>>(),
            figures().collect::<BTreeMap<String, u64>>(),
        );
        let json = serde_json::to_string(&theirs).unwrap();
        assert_eq!(serde_json::to_string(&ours).unwrap(), json);
        let read: PercentileMap<u64> = serde_json::from_str(&json).unwrap();
        assert_eq!(read, ours);
        assert_eq!((ours["p99"], ours.get("p95"), ours.get("p99.9")), (5, None, Some(&1)));
        for map in [&ours, &read, &read.clone()] {
            assert_eq!((map.0.len(), map.0.capacity()), (4, 4));
        }
        let twice = r#"{"p50":1,"p50":2}"#;
        let read: PercentileMap<u64> = serde_json::from_str(twice).unwrap();
        assert_eq!(read["p50"], 2, "as of a map, the last counts");
    }
}
