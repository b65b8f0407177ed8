//! Values in flight under small numbers, which are used again.

#[derive(Debug, Clone)]
pub(super) struct Slots<T> {
    entries: Vec<Option<T>>,
    spare: Vec<u32>,
}

impl<T: Copy> Slots<T> {
    pub(super) fn with_capacity(capacity: usize) -> Self {
        Self { entries: Vec::with_capacity(capacity), spare: Vec::with_capacity(capacity) }
    }

    pub(super) fn insert(&mut self, value: T) -> u32 {
        let slot = self.spare.pop().unwrap_or_else(|| {
            self.entries.push(None);
            (self.entries.len() - 1) as u32
        });
        if let Some(entry) = self.entries.get_mut(slot as usize) {
            *entry = Some(value);
        }
        slot
    }

    pub(super) fn get(&self, slot: u32) -> Option<T> {
        self.entries.get(slot as usize).copied().flatten()
    }

    pub(super) fn take(&mut self, slot: u32) -> Option<T> {
        let value = self.entries.get_mut(slot as usize)?.take()?;
        self.spare.push(slot);
        Some(value)
    }
}
