//! What the author of a network says about its use, in a text file beside it.

/// The divisor `FV_SCALE` in a text of options, each line `option name N type T default V`, `N V`
/// or `N=V`.
///
/// ```
/// use tesuji_eval::nnue::fv_scale_in;
/// assert_eq!(fv_scale_in("option name FV_SCALE type spin default 24 min 1 max 128"), Some(24));
/// assert_eq!(fv_scale_in("Threads 4\nFV_SCALE = 20"), Some(20));
/// assert_eq!(fv_scale_in("FV_SCALE none"), None);
/// ```
pub fn fv_scale_in(text: &str) -> Option<i32> {
    text.lines().find_map(|line| {
        let mut words = line
            .split(|c: char| c.is_whitespace() || c == '=')
            .filter(|word| !word.is_empty());
        let first = words.next()?;
        let value = if first == "option" {
            words.find(|word| *word == "FV_SCALE")?;
            words.find(|word| *word == "default")?;
            words.next()?
        } else if first == "FV_SCALE" {
            words.next()?
        } else {
            return None;
        };
        value.parse().ok().filter(|scale| *scale > 0)
    })
}
