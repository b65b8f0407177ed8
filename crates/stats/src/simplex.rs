//! The lowest place of a function in few dimensions, without its slopes.

/// The lowest place found from `start`: the downhill simplex of Nelder and Mead ("A simplex method
/// for function minimization", The Computer Journal 7, 1965), in at most `steps` moves. `sizes` are
/// the first steps along the axes. Where the function is no number, it counts as infinitely high.
pub(crate) fn minimize<const N: usize>(
    function: &dyn Fn(&[f64; N]) -> f64,
    start: [f64; N],
    sizes: [f64; N],
    steps: u32,
) -> ([f64; N], f64) {
    let height = |place: [f64; N]| {
        let height = function(&place);
        (place, if height.is_nan() { f64::INFINITY } else { height })
    };
    let mut corners = vec![height(start)];
    for axis in 0..N {
        let mut corner = start;
        corner[axis] += sizes[axis];
        corners.push(height(corner));
    }
    for _ in 0..steps {
        corners.sort_by(|a, b| a.1.total_cmp(&b.1));
        let (best, second, worst) = (corners[0].1, corners[N - 1].1, corners[N]);
        let middle: [f64; N] =
            std::array::from_fn(|axis| corners[..N].iter().map(|c| c.0[axis]).sum::<f64>());
        // `along` of 1 mirrors the worst corner at the middle of the others.
        let moved = |along: f64| {
            height(std::array::from_fn(|axis| {
                let middle = middle[axis] / N as f64;
                middle + along * (middle - worst.0[axis])
            }))
        };
        let mirrored = moved(1.0);
        let next = if mirrored.1 < best {
            let further = moved(2.0);
            if further.1 < mirrored.1 { further } else { mirrored }
        } else if mirrored.1 < second {
            mirrored
        } else {
            let nearer = moved(if mirrored.1 < worst.1 { 0.5 } else { -0.5 });
            if nearer.1 >= worst.1.min(mirrored.1) {
                let best = corners[0].0;
                for corner in &mut corners[1..] {
                    let halved = |axis: usize| (corner.0[axis] + best[axis]) / 2.0;
                    *corner = height(std::array::from_fn(halved));
                }
                continue;
            }
            nearer
        };
        corners[N] = next;
    }
    corners.into_iter().min_by(|a, b| a.1.total_cmp(&b.1)).unwrap_or((start, f64::INFINITY))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bottom_of_a_curved_valley_is_found() {
        // Rosenbrock's function, 1960.
        let valley = |p: &[f64; 2]| (1.0 - p[0]).powi(2) + 100.0 * (p[1] - p[0] * p[0]).powi(2);
        let (place, height) = minimize(&valley, [-1.2, 1.0], [0.5, 0.5], 300);
        assert!(height < 1e-8 && (place[0] - 1.0).abs() < 1e-3, "{place:?}");
    }

    #[test]
    fn what_is_no_number_is_no_place_to_be() {
        let half = |p: &[f64; 1]| if p[0] < 1.0 { f64::NAN } else { p[0] };
        let (place, _) = minimize(&half, [3.0], [-0.7], 200);
        assert!((place[0] - 1.0).abs() < 1e-3, "{place:?}");
    }
}
