//! Numbers in as many bytes as they need, seven bits each, lowest first; the last byte carries the
//! sign (LEB128, from the DWARF format, 1993).

use super::error::NnueError;

/// How many numbers some bytes hold.
pub(super) fn count(bytes: &[u8]) -> usize {
    bytes.iter().filter(|&&byte| byte < 0x80).count()
}

/// Reads every number. Only the shortest form of a number is taken, so that writing gives the same
/// bytes again.
pub(super) fn decode(bytes: &[u8]) -> Result<Vec<i16>, NnueError> {
    let mut numbers = Vec::with_capacity(count(bytes));
    let mut at = 0;
    while at < bytes.len() {
        let (number, length) = decode_one(&bytes[at..]).ok_or(NnueError::Number { at })?;
        numbers.push(number);
        at += length;
    }
    Ok(numbers)
}

#[inline]
fn decode_one(bytes: &[u8]) -> Option<(i16, usize)> {
    let mut bits = 0;
    for (i, &byte) in bytes.iter().enumerate().take(3) {
        bits |= u32::from(byte & 0x7f) << (7 * i);
        if byte < 0x80 {
            let unused = 32 - 7 * (i as u32 + 1);
            let number = (bits << unused) as i32 >> unused;
            let number = i16::try_from(number).ok()?;
            return (length(number) == i + 1).then_some((number, i + 1));
        }
    }
    None
}

/// How many bytes a number needs.
#[inline]
fn length(number: i16) -> usize {
    match number {
        -64..=63 => 1,
        -8192..=8191 => 2,
        _ => 3,
    }
}

/// How many bytes some numbers need.
pub(super) fn encoded_len(numbers: &[i16]) -> usize {
    numbers.iter().map(|&number| length(number)).sum()
}

/// Appends every number.
pub(super) fn encode(numbers: &[i16], out: &mut Vec<u8>) {
    for &number in numbers {
        let last = length(number) - 1;
        for i in 0..last {
            out.push((number >> (7 * i)) as u8 | 0x80);
        }
        out.push((i32::from(number) >> (7 * last)) as u8 & 0x7f);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_number_survives() {
        let numbers: Vec<i16> = (i16::MIN..=i16::MAX).collect();
        let mut bytes = Vec::new();
        encode(&numbers, &mut bytes);
        assert_eq!(bytes.len(), encoded_len(&numbers));
        assert_eq!(count(&bytes), numbers.len());
        assert_eq!(decode(&bytes).unwrap(), numbers);
    }

    #[test]
    fn bad_numbers_are_refused() {
        for bytes in [
            &[0x80][..],
            &[0x80, 0x00],
            &[0xff, 0x7f],
            &[0xff, 0xff, 0x03],
            &[0x80; 9],
        ] {
            assert!(decode(bytes).is_err(), "{bytes:?}");
        }
    }
}
