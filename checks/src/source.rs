//! A source file reduced to what the compiler sees outside of tests.

/// The text with comments, strings, characters and test-only items replaced by spaces, so that all
/// that is left are the tokens of the program, each on its line.
pub fn code(text: &str) -> String {
    without_tests(&without_text(text))
}

/// Blanks comments, strings and characters.
fn without_text(text: &str) -> String {
    let chars: Vec<char> = text.chars().collect();
    let mut out = String::with_capacity(text.len());
    let mut at = 0;
    while at < chars.len() {
        let end = at + quiet_len(&chars[at..], at.checked_sub(1).map(|before| chars[before]));
        if end == at {
            out.push(chars[at]);
            at += 1;
        }
        for &skipped in &chars[at.min(end)..end] {
            out.push(if skipped == '\n' { '\n' } else { ' ' });
        }
        at = at.max(end);
    }
    out
}

/// How many characters from here on belong to a comment, a string or a character.
fn quiet_len(rest: &[char], before: Option<char>) -> usize {
    let in_word = before.is_some_and(|c| c.is_alphanumeric() || c == '_');
    match rest {
        ['/', '/', ..] => rest.iter().position(|&c| c == '\n').unwrap_or(rest.len()),
        ['/', '*', ..] => block_comment_len(rest),
        ['r', '"' | '#', ..] if !in_word => raw_string_len(rest),
        ['"', ..] => quoted_len(rest, '"'),
        ['\'', '\\', ..] | ['\'', _, '\'', ..] => quoted_len(rest, '\''),
        _ => 0,
    }
}

fn block_comment_len(rest: &[char]) -> usize {
    let mut depth = 0;
    for (at, pair) in rest.windows(2).enumerate() {
        match pair {
            ['/', '*'] => depth += 1,
            ['*', '/'] if depth == 1 => return at + 2,
            ['*', '/'] => depth -= 1,
            _ => {}
        }
    }
    rest.len()
}

/// The length of `r"…"` or `r#"…"#`; nothing for a raw name such as `r#type`.
fn raw_string_len(rest: &[char]) -> usize {
    let hashes = rest[1..].iter().take_while(|&&c| c == '#').count();
    if rest.get(1 + hashes) != Some(&'"') {
        return 0;
    }
    let mut end = vec!['"'];
    end.resize(1 + hashes, '#');
    let body = 2 + hashes;
    let found = rest[body..].windows(end.len()).position(|w| w == end);
    found.map_or(rest.len(), |at| body + at + end.len())
}

fn quoted_len(rest: &[char], quote: char) -> usize {
    let mut at = 1;
    while at < rest.len() && rest[at] != quote {
        at += if rest[at] == '\\' { 2 } else { 1 };
    }
    (at + 1).min(rest.len())
}

/// Blanks every item that stands behind `#[cfg(test)]`.
fn without_tests(code: &str) -> String {
    const MARK: &str = "#[cfg(test)]";
    let mut out = String::with_capacity(code.len());
    let mut rest = code;
    while let Some(at) = rest.find(MARK) {
        out.push_str(&rest[..at]);
        let item = &rest[at..at + MARK.len() + item_len(&rest[at + MARK.len()..])];
        out.extend(item.chars().map(|c| if c == '\n' { '\n' } else { ' ' }));
        rest = &rest[at + item.len()..];
    }
    out.push_str(rest);
    out
}

/// The length of the first item: to its semicolon, or to the brace that closes its first one and
/// the semicolon right behind it.
fn item_len(code: &str) -> usize {
    let mut depth = 0;
    for (at, c) in code.char_indices() {
        match c {
            '{' | '[' | '(' => depth += 1,
            '}' | ']' | ')' => depth -= 1,
            _ => {}
        }
        if depth == 0 && (c == ';' || c == '}') {
            return at + 1 + usize::from(code[at + 1..].starts_with(';'));
        }
    }
    code.len()
}

#[cfg(test)]
mod tests {
    use super::code;

    /// What is left of the text, words parted by one space.
    fn words(text: &str) -> String {
        code(text).split_whitespace().collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn comments_and_strings_are_blank() {
        assert_eq!(words("a /* b /* c */ d */ e // f\ng"), "a e g");
        assert_eq!(
            words(r##"x = "a\"b" + r#"c"d"# + 'e' + '\'' ;"##),
            "x = + + + ;"
        );
        assert_eq!(words("fn f<'a>(x: &'a str)"), "fn f<'a>(x: &'a str)");
        assert_eq!(words("for r in r#type {}"), "for r in r#type {}");
    }

    #[test]
    fn tests_are_blank() {
        assert_eq!(words("a; #[cfg(test)] mod tests { fn f() {} } b;"), "a; b;");
        assert_eq!(words("#[cfg(test)]\nmod tests;\nb;"), "b;");
        assert_eq!(words("#[cfg(test)] use a::{b, c}; d;"), "d;");
    }

    #[test]
    fn lines_stay() {
        let text = "a\n/* b\nc */ d \"e\nf\"\n#[cfg(test)]\nmod x {\n}\ng";
        assert_eq!(code(text).lines().count(), text.lines().count());
        assert_eq!(code(text).lines().last(), Some("g"));
    }
}
