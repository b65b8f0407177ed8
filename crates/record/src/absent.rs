//! Values that are absent in JSON.

/// Whether nothing is known of it: then it is absent in JSON.
pub(crate) fn is_unset<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}
