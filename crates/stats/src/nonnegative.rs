//! Non-negative least squares in few parameters, in relative error.

/// One observation, divided by what was observed: the law says `sum(columns * parameters) = 1`.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Observation<const P: usize> {
    /// What each parameter contributes, per unit, as a share of the observation.
    pub(crate) columns: [f64; P],
    /// The inverse of the relative variance, in any common unit.
    pub(crate) weight: f64,
}

#[derive(Debug, Clone, Copy)]
pub(crate) struct Fit<const P: usize> {
    pub(crate) parameters: [f64; P],
    /// Weighted sum of the squared relative errors.
    pub(crate) squares: f64,
}

/// The least pivot of a Gram matrix of unit columns, below which columns say the same.
const PIVOT_MIN: f64 = 1e-13;

/// The parameters, none below zero, with the least weighted squares of `1 - columns * parameters`:
/// each of the 2^P sets of parameters above zero is solved, the best solution without a negative
/// one is the minimum (the active sets of Lawson and Hanson 1974, enumerated).
pub(crate) fn solve_non_negative<const P: usize>(rows: &[Observation<P>]) -> Fit<P> {
    let nothing = Fit { parameters: [0.0; P], squares: weighted_squares(rows, &[0.0; P]) };
    (1_u32..1 << P)
        .filter_map(|set| solve_columns(rows, |column| set >> column & 1 == 1))
        .filter(|parameters| parameters.iter().all(|p| *p >= 0.0))
        .map(|parameters| Fit { parameters, squares: weighted_squares(rows, &parameters) })
        .fold(nothing, |best, fit| if fit.squares < best.squares { fit } else { best })
}

fn weighted_squares<const P: usize>(rows: &[Observation<P>], parameters: &[f64; P]) -> f64 {
    let missed = |row: &Observation<P>| 1.0 - dot(&row.columns, parameters);
    rows.iter().map(|row| row.weight * missed(row).powi(2)).sum()
}

fn dot<const P: usize>(a: &[f64; P], b: &[f64; P]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// Least squares in the columns chosen; `None` when they say the same.
fn solve_columns<const P: usize>(
    rows: &[Observation<P>],
    chosen: impl Fn(usize) -> bool,
) -> Option<[f64; P]> {
    let chosen: Vec<usize> = (0..P).filter(|&column| chosen(column)).collect();
    let sum = |f: &dyn Fn(&[f64; P]) -> f64| -> f64 {
        rows.iter().map(|row| row.weight * f(&row.columns)).sum()
    };
    // Columns of unit length, so that pivots compare.
    let mut length = [0.0; P];
    for &i in &chosen {
        length[i] = sum(&|c| c[i] * c[i]).sqrt();
    }
    let mut gram = [[0.0; P]; P];
    let mut right = [0.0; P];
    for &i in &chosen {
        for &j in &chosen {
            gram[i][j] = sum(&|c| c[i] * c[j]) / (length[i] * length[j]);
        }
        right[i] = sum(&|c| c[i]) / length[i];
    }
    // Elimination without exchange of rows: a Gram matrix is positive definite.
    for (done, &k) in chosen.iter().enumerate() {
        if gram[k][k].is_nan() || gram[k][k] <= PIVOT_MIN {
            return None;
        }
        for &i in &chosen[done + 1..] {
            let factor = gram[i][k] / gram[k][k];
            for &j in &chosen[done..] {
                gram[i][j] -= factor * gram[k][j];
            }
            right[i] -= factor * right[k];
        }
    }
    let mut parameters = [0.0; P];
    for (done, &k) in chosen.iter().enumerate().rev() {
        let known: f64 = chosen[done + 1..].iter().map(|&j| gram[k][j] * parameters[j]).sum();
        parameters[k] = (right[k] - known) / gram[k][k];
    }
    for &i in &chosen {
        parameters[i] /= length[i];
    }
    Some(parameters)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::series::tests::Normal;

    fn rows<const P: usize>(columns: &[[f64; P]]) -> Vec<Observation<P>> {
        columns.iter().map(|&columns| Observation { columns, weight: 1.0 }).collect()
    }

    #[test]
    fn parameters_are_found_and_never_negative() {
        let check = |columns: &[[f64; 2]], expected: [f64; 2]| {
            let fit = solve_non_negative(&rows(columns));
            let near = fit.parameters.iter().zip(expected).all(|(a, b)| (a - b).abs() <= 1e-12 * b);
            assert!(near, "{columns:?}: {fit:?}, expected {expected:?}");
        };
        check(&[], [0.0, 0.0]);
        check(&[[1.0, 0.0], [0.0, 1.0]], [1.0, 1.0]);
        check(&[[2.0, 0.0], [1.0, 1.0]], [0.5, 0.5]);
        // Free, the second would be -1: without it, the first is 1.5 / 1.25.
        check(&[[1.0, 0.0], [0.5, 0.0]], [1.2, 0.0]);
        check(&[[1.0, 1.0], [2.0, 1.0]], [0.0, 1.0]);
        check(&[[1e-9, 0.0], [0.0, 1e9]], [1e9, 1e-9]);
        check(&[[1.0, 1.0], [1.0, 1.0]], [1.0, 0.0]); // both say the same
        check(&[[-1.0, -1.0]], [0.0, 0.0]);
        check(&[[f64::NAN, 1.0], [1.0, 1.0]], [0.0, 0.0]);
    }

    #[test]
    fn no_neighbour_is_better() {
        let mut normal = Normal(91);
        for _ in 0..200 {
            let rows: Vec<Observation<3>> = (0..8)
                .map(|_| {
                    let columns = [normal.draw(), normal.draw(), 1.0 + normal.draw()];
                    Observation { columns, weight: 0.1 + normal.uniform() }
                })
                .collect();
            let best = solve_non_negative(&rows);
            for _ in 0..50 {
                let step = (3.0 * normal.draw()).exp() * 1e-3;
                let near = best.parameters.map(|p| (p + step * normal.draw()).max(0.0));
                assert!(
                    weighted_squares(&rows, &near) >= best.squares - 1e-12,
                    "{best:?} {near:?}"
                );
            }
        }
    }
}
