//! Weights as fractions or decimals, converted to whole numbers.

/// A non-negative number: numerator and denominator, reduced.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Fraction(u64, u64);

fn gcd(a: u128, b: u128) -> u128 {
    if b == 0 { a } else { gcd(b, a % b) }
}

impl Fraction {
    /// Reads `3`, `1/3` or `0.25`; `None` for anything else, negative numbers included.
    pub fn read(text: &str) -> Option<Fraction> {
        let digits = |text: &str| {
            let text = text.trim();
            let plain = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
            if plain { text.parse::<u64>().ok() } else { None }
        };
        let (above, below) = match (text.split_once('/'), text.trim().split_once('.')) {
            (Some((above, below)), _) => (digits(above)?, digits(below)?),
            (None, Some((whole, part))) if part.len() <= 9 => {
                let unit = 10u64.pow(part.len() as u32);
                (digits(whole)?.checked_mul(unit)?.checked_add(digits(part)?)?, unit)
            }
            (None, Some(_)) => return None,
            (None, None) => (digits(text)?, 1),
        };
        let common = gcd(above.into(), below.into()) as u64;
        (below > 0).then(|| Fraction(above / common, below / common))
    }

    pub fn is_zero(self) -> bool {
        self.0 == 0
    }

    pub fn is_whole(self) -> bool {
        self.1 == 1
    }
}

/// The smallest whole numbers in the same proportion, and whether the fractions sum to 1; `None` if
/// the numbers or their sum do not fit 32 bits.
pub(super) fn proportions(fractions: &[Fraction]) -> Option<(Vec<u32>, bool)> {
    let common = fractions.iter().try_fold(1u128, |common, &Fraction(_, below)| {
        let below = u128::from(below);
        let common = common / gcd(common, below) * below;
        (common <= u128::from(u64::MAX)).then_some(common)
    })?;
    let whole =
        |&Fraction(above, below): &Fraction| u128::from(above) * (common / u128::from(below));
    let all: Vec<u128> = fractions.iter().map(whole).collect();
    let sum = all.iter().try_fold(0u128, |sum, &one| sum.checked_add(one))?;
    let divisor = all.iter().fold(0, |divisor, &one| gcd(one, divisor)).max(1);
    u32::try_from(sum / divisor).ok()?;
    Some((all.into_iter().map(|one| (one / divisor) as u32).collect(), sum == common))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(texts: &[&str]) -> Option<(Vec<u32>, bool)> {
        proportions(&texts.iter().map(|text| Fraction::read(text).unwrap()).collect::<Vec<_>>())
    }

    #[test]
    fn fractions_become_small_whole_numbers() {
        assert_eq!(of(&["1/2", "1/3", "1/6"]), Some((vec![3, 2, 1], true)));
        assert_eq!(of(&["0.25", "3 / 4"]), Some((vec![1, 3], true)));
        assert_eq!(of(&["10", "20"]), Some((vec![1, 2], false)));
        assert_eq!(of(&["0.33", "0.33", "0.33"]), Some((vec![1, 1, 1], false)));
        assert_eq!(of(&["1"]), Some((vec![1], true)));
    }

    #[test]
    fn what_does_not_fit_is_refused() {
        assert_eq!(of(&["4294967296", "1"]), None);
        assert_eq!(of(&["1/18446744073709551557", "1/18446744073709551533"]), None);
        for text in ["", "-1", "1/0", "1e3", "a", "1/2/3", "1.", ".5", "0.0000000001", "½", "+1"] {
            assert_eq!(Fraction::read(text), None, "{text}");
        }
    }
}
