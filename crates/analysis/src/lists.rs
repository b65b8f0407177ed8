//! Small helpers for lists.

/// The first item that matches, or a new one at the end.
pub(crate) fn find_or_push<T>(
    list: &mut Vec<T>,
    matches: impl Fn(&T) -> bool,
    new: impl FnOnce() -> T,
) -> &mut T {
    let place = list.iter().position(matches).unwrap_or(list.len());
    if place == list.len() {
        list.push(new());
    }
    &mut list[place]
}

/// One count of all items, added up; a sum that runs over stays at the maximum.
pub(crate) fn sum_counts<T>(items: impl Iterator<Item = T>, count: impl Fn(T) -> u64) -> u64 {
    items.fold(0, |sum, item| sum.saturating_add(count(item)))
}

/// The value in the middle; of an even number, the upper of the two.
pub(crate) fn upper_median(values: impl Iterator<Item = f64>) -> Option<f64> {
    let mut sorted: Vec<f64> = values.collect();
    sorted.sort_by(f64::total_cmp);
    sorted.get(sorted.len() / 2).copied()
}
