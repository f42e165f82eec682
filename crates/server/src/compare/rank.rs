//! The Mann-Whitney U test: how likely two samples differ this much by chance, whatever their distribution.

/// Smaller samples say nothing.
const MIN_SAMPLE: usize = 4;

/// The two-sided p-value, by the normal approximation with corrections for ties and continuity; none for samples that
/// are too small or all the same.
#[expect(clippy::cast_precision_loss, reason = "samples are small")]
pub(super) fn p_value(one: &[f64], other: &[f64]) -> Option<f64> {
    let (n, m) = (one.len() as f64, other.len() as f64);
    if one.len() < MIN_SAMPLE || other.len() < MIN_SAMPLE {
        return None;
    }
    let mut all: Vec<(f64, bool)> = one.iter().map(|value| (*value, true)).collect();
    all.extend(other.iter().map(|value| (*value, false)));
    all.sort_by(|one, other| one.0.total_cmp(&other.0));
    let (mut rank_sum, mut ties, mut before) = (0.0, 0.0, 0.0);
    for group in all.chunk_by(|one, other| one.0.total_cmp(&other.0).is_eq()) {
        let size = group.len() as f64;
        // Equal values share the mean of their ranks.
        let rank = before + f64::midpoint(size, 1.0);
        rank_sum += rank * group.iter().filter(|(_, is_one)| *is_one).count() as f64;
        ties += size.powi(3) - size;
        before += size;
    }
    let u = rank_sum - n * (n + 1.0) / 2.0;
    let total = n + m;
    let variance = n * m / 12.0 * (total + 1.0 - ties / (total * (total - 1.0)));
    if variance <= 0.0 {
        return None;
    }
    let distance = ((u - n * m / 2.0).abs() - 0.5).max(0.0);
    Some(erfc(distance / variance.sqrt() / std::f64::consts::SQRT_2).clamp(0.0, 1.0))
}

/// The complementary error function for what is not negative, to seven digits (Numerical Recipes' Chebyshev fit).
fn erfc(x: f64) -> f64 {
    const FIT: [f64; 10] = [
        -1.265_512_23,
        1.000_023_68,
        0.374_091_96,
        0.096_784_18,
        -0.186_288_06,
        0.278_868_07,
        -1.135_203_98,
        1.488_515_87,
        -0.822_152_23,
        0.170_872_77,
    ];
    let t = 1.0 / (1.0 + 0.5 * x);
    let polynomial = FIT.iter().rev().fold(0.0, |sum, factor| sum * t + factor);
    t * (polynomial - x * x).exp()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn known_samples_give_the_known_value() {
        // The example of scipy.stats.mannwhitneyu, method="asymptotic".
        let p = p_value(&[19.0, 22.0, 16.0, 29.0, 24.0], &[20.0, 11.0, 17.0, 12.0]).unwrap();
        assert!((p - 0.111_346_886_533_140_41).abs() < 1e-6, "{p}");
    }

    #[test]
    fn clearly_different_samples_are_no_chance() {
        let slow: Vec<f64> = (100..120).map(f64::from).collect();
        let fast: Vec<f64> = (10..30).map(f64::from).collect();
        assert!(p_value(&slow, &fast).unwrap() < 1e-6);
    }

    #[test]
    fn what_says_nothing_gives_no_value() {
        assert_eq!(p_value(&[1.0; 3], &[2.0; 30]), None);
        assert_eq!(p_value(&[5.0; 10], &[5.0; 10]), None);
    }

    proptest! {
        #[test]
        fn it_is_a_probability_and_knows_no_sides(
            one in proptest::collection::vec(0.0_f64..1e6, 4..40),
            other in proptest::collection::vec(0.0_f64..1e6, 4..40),
        ) {
            let (here, there) = (p_value(&one, &other), p_value(&other, &one));
            if let (Some(here), Some(there)) = (here, there) {
                prop_assert!((0.0..=1.0).contains(&here));
                prop_assert!((here - there).abs() < 1e-9);
            }
        }
    }
}
