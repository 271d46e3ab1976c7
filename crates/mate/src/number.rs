//! Proof and disproof numbers: how many positions, at least, are still to be decided.
//!
//! Proof numbers are Victor Allis's (1994).

/// A proof number (how much is missing to a mate) or a disproof number (how much to an escape).
pub(crate) type ProofNumber = u64;

/// More than any position can need: the other side has won.
pub(crate) const INFINITE: ProofNumber = 1 << 50;

const MANTISSA: u32 = 26;

/// A sum that never exceeds [`INFINITE`].
#[inline(always)]
pub(crate) fn plus(a: ProofNumber, b: ProofNumber) -> ProofNumber {
    (a + b).min(INFINITE)
}

/// A number in 32 bits. Small ones are exact, large ones are rounded up, so that what had reached
/// a threshold still reaches it when it is read again.
#[inline(always)]
pub(crate) const fn pack(number: ProofNumber) -> u32 {
    if number < 1 << MANTISSA {
        return number as u32;
    }
    let shift = 64 - number.leading_zeros() - MANTISSA;
    let rounded = (number + (1 << shift) - 1) >> shift;
    if rounded >> MANTISSA != 0 {
        (shift + 1) << MANTISSA | (rounded >> 1) as u32
    } else {
        shift << MANTISSA | rounded as u32
    }
}

/// The number that [`pack`] made.
#[inline(always)]
pub(crate) const fn unpack(packed: u32) -> ProofNumber {
    ((packed & ((1 << MANTISSA) - 1)) as u64) << (packed >> MANTISSA)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packing_never_loses_anything() {
        let mut number = 1u64;
        while number < INFINITE {
            for near in [number - 1, number, number + 1, number + number / 3] {
                let back = unpack(pack(near));
                assert!(back >= near, "{near} became {back}");
                assert!(back - near <= near >> 24, "{near} became {back}");
            }
            number *= 2;
        }
        assert_eq!(unpack(pack(INFINITE)), INFINITE);
    }
}
