//! Comparisons of runs.
