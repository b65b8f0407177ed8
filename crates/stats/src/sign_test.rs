//! Whether more than half of what a law gives lies on one side, by counting.

/// The probability that at least `above` of `n` independent values lie at or above a mark when the
/// law's median lies below it (Arbuthnot 1710, one-sided).
pub fn sign_test(above: usize, n: usize) -> f64 {
    // Of k heads C(n, k) in 2^n; from one k to the next by multiplication.
    let (mut ways, mut sum) = (0.5_f64.powf(n as f64), 0.0);
    for heads in 0..=n {
        if heads >= above {
            sum += ways;
        }
        ways *= (n - heads) as f64 / (heads + 1) as f64;
    }
    sum.min(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn heads_have_the_probability_of_the_tables() {
        let check = |above, n, expected: f64| {
            let found = sign_test(above, n);
            assert!((found - expected).abs() < 1e-12, "{above} of {n}: {found}");
        };
        check(0, 0, 1.0);
        check(0, 9, 1.0);
        check(6, 6, 1.0 / 64.0);
        check(8, 9, 10.0 / 512.0);
        check(5, 9, 0.5);
        // Of many it stays a probability: 520 of 1000 and more, by the normal law with continuity.
        assert!((sign_test(520, 1000) - 0.108_7).abs() < 1e-3);
    }
}
