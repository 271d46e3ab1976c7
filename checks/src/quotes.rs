//! Quotations of code in documents: blocks that name the file whose lines they repeat.

/// A block of code in a document.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Quote<'a> {
    /// The line of the document on which it begins.
    pub line: usize,
    /// The file that it quotes, from ```` ```rust crates/… ````; nothing if none is named.
    pub file: Option<&'a str>,
    /// Its lines.
    pub code: Vec<&'a str>,
}

/// Every block of Rust in a document.
pub fn quotes(document: &str) -> Vec<Quote<'_>> {
    let mut found = Vec::new();
    let mut lines = document.lines().enumerate();
    while let Some((at, line)) = lines.next() {
        let Some(language) = line.strip_prefix("```") else {
            continue;
        };
        let code = lines
            .by_ref()
            .map(|(_, line)| line)
            .take_while(|line| *line != "```");
        let code: Vec<&str> = code.collect();
        let mut words = language.split_whitespace();
        if words.next() == Some("rust") {
            found.push(Quote {
                line: at + 1,
                file: words.next(),
                code,
            });
        }
    }
    found
}

impl Quote<'_> {
    /// The first line that does not stand in the source behind the lines before it. White space
    /// does not count; `…` stands for any lines.
    pub fn first_wrong_line(&self, source: &str) -> Option<&str> {
        let source = packed(source);
        let mut rest = source.as_str();
        for line in &self.code {
            let wanted = packed(line);
            if wanted.is_empty() || wanted == "…" {
                continue;
            }
            match rest.find(&wanted) {
                Some(at) => rest = &rest[at + wanted.len()..],
                None => return Some(line),
            }
        }
        None
    }
}

/// A text without white space.
fn packed(text: &str) -> String {
    text.chars().filter(|c| !c.is_whitespace()).collect()
}

#[cfg(test)]
mod tests {
    use super::quotes;

    const DOCUMENT: &str =
        "text\n```rust a.rs\nfn f() {\n    …\n    g();\n}\n```\n```sh\nls\n```\n```rust\nx\n```\n";

    #[test]
    fn blocks_of_rust_are_found() {
        let found = quotes(DOCUMENT);
        assert_eq!(found.len(), 2);
        assert_eq!((found[0].line, found[0].file), (2, Some("a.rs")));
        assert_eq!((found[1].line, found[1].file), (11, None));
    }

    #[test]
    fn lines_must_stand_in_the_file_in_order() {
        let quote = &quotes(DOCUMENT)[0];
        assert_eq!(quote.first_wrong_line("fn f()\n{ let x = 1; g(); }"), None);
        assert_eq!(quote.first_wrong_line("fn f() { h(); }"), Some("    g();"));
        assert_eq!(
            quote.first_wrong_line("g(); fn f() { h(); }"),
            Some("    g();")
        );
    }
}
