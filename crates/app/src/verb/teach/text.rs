//! The lessons for a terminal.

use super::{Language, Real};
use std::io::{self, Write};
use tesuji_search::ladder::{Chooser, Trace, Way};
use tesuji_search::lesson::words::{self, Both, lesson};
use tesuji_search::lesson::{Cutoff, Finding, Naming, Story, number_text};

/// Writes lessons in one language or both.
pub(super) struct Text<'o, W> {
    pub(super) out: &'o mut W,
    pub(super) language: Language,
}

/// Where the numbers begin.
const COLUMN: usize = 30;
/// Where a paragraph is broken.
const WIDTH: usize = 98;

impl<W: Write> Text<'_, W> {
    pub(super) fn preface(&mut self, drawing: &str) -> io::Result<()> {
        self.heading(words::TITLE, '═')?;
        self.paragraph(words::PREFACE)?;
        writeln!(self.out, "{drawing}\n")
    }

    /// A rung on the drawn tree.
    pub(super) fn rung(
        &mut self,
        number: usize,
        trace: &Trace,
        findings: &[Finding],
    ) -> io::Result<()> {
        let lesson = lesson(trace.rung);
        writeln!(self.out, "{number}.")?;
        self.heading(lesson.title, '─')?;
        self.paragraph(lesson.idea)?;
        self.tree(&Story::new(trace, Naming::Way), usize::MAX)?;
        let (value, nodes, leaves) = (number_text(trace.value), trace.nodes.len(), trace.leaves());
        self.line(
            &format!("Value {value}, {nodes} nodes, {leaves} leaves."),
            &format!("値 {value}、節点 {nodes}、葉 {leaves}。"),
        )?;
        for [en, ja] in findings {
            self.line(en, ja)?;
        }
        writeln!(self.out)?;
        for (question, answer) in lesson.questions {
            self.paragraph(*question)?;
            self.paragraph(*answer)?;
        }
        Ok(())
    }

    /// The fourth rung with a mistake, and without.
    pub(super) fn fault(&mut self, broken: &Trace, right: &Trace, name: &str) -> io::Result<()> {
        self.line(
            &format!("Negamax alpha-beta with a mistake: {name}"),
            &format!("誤りのあるネガマックス形アルファベータ法: {name}"),
        )?;
        self.tree(&Story::new(broken, Naming::Way), usize::MAX)?;
        let told = |trace: &Trace| (number_text(trace.value), trace.nodes.len());
        let ((value, nodes), (truth, needed)) = (told(broken), told(right));
        self.line(
            &format!("It says {value} after {nodes} nodes; right is {truth} after {needed}."),
            &format!("{nodes} 回訪れて {value} と答えます。正しくは {needed} 回で {truth} です。"),
        )
    }

    /// The table of all rungs on the drawn tree.
    pub(super) fn counts(&mut self, traces: &[Trace]) -> io::Result<()> {
        self.heading(words::COUNTS, '─')?;
        let most = traces
            .iter()
            .map(|trace| trace.nodes.len())
            .max()
            .unwrap_or(0)
            .max(1);
        writeln!(
            self.out,
            "{:<18} {:>6} {:>8} {:>8}",
            "", "value", "nodes", "leaves"
        )?;
        for trace in traces {
            let nodes = trace.nodes.len();
            let (name, value) = (trace.rung.name(), number_text(trace.value));
            let bar = "▇".repeat((nodes * 30).div_ceil(most));
            writeln!(
                self.out,
                "{name:<18} {value:>6} {nodes:>8} {:>8}  {bar}",
                trace.leaves()
            )?;
        }
        writeln!(self.out)
    }

    /// The real position: counts at every depth, and the beginning of one tree.
    pub(super) fn real(&mut self, real: &Real, wide: usize) -> io::Result<()> {
        self.heading(words::REAL, '═')?;
        self.paragraph(words::REAL_PREFACE)?;
        writeln!(self.out, "{}\n{}", real.pos.to_sfen(), real.pos)?;
        write!(self.out, "{:<18}", "")?;
        for depth in 1..=real.depth {
            write!(self.out, "{:>20}", format!("depth {depth}"))?;
        }
        writeln!(self.out)?;
        for (rung, climbs) in &real.climbs {
            write!(self.out, "{:<18}", rung.name())?;
            for climb in climbs {
                let best = climb.best.map_or_else(|| "-".into(), |mv| mv.to_string());
                let cell = format!("{} {best} {:>8}", number_text(climb.value), climb.nodes);
                write!(self.out, "{cell:>20}")?;
            }
            writeln!(self.out)?;
        }
        writeln!(self.out)?;
        self.tree(&Story::new(&real.trace, Naming::Branch), wide)?;
        writeln!(self.out)
    }

    /// Every pass of a trace, at most `wide` branches of a node.
    fn tree(&mut self, story: &Story<'_>, wide: usize) -> io::Result<()> {
        let passes: Vec<usize> = story.trace.passes().collect();
        for (pass, &root) in (1..).zip(&passes) {
            if passes.len() > 1 {
                self.line(&format!("Pass {pass}:"), &format!("第 {pass} 回:"))?;
            }
            self.node(story, root, wide, "", "")?;
        }
        writeln!(self.out)
    }

    fn node(
        &mut self,
        story: &Story<'_>,
        number: usize,
        wide: usize,
        stem: &str,
        below: &str,
    ) -> io::Result<()> {
        self.label(story, number, stem)?;
        let children = &story.children[number];
        let shown = children.len().min(wide);
        let (hidden, cut) = (children.len() - shown, story.cut(number));
        for (at, &child) in children[..shown].iter().enumerate() {
            let is_last = at + 1 == shown && hidden == 0 && cut.is_none();
            let (branch, bar) = if is_last {
                ("└─ ", "   ")
            } else {
                ("├─ ", "│  ")
            };
            self.node(
                story,
                child,
                wide,
                &format!("{below}{branch}"),
                &format!("{below}{bar}"),
            )?;
        }
        if hidden > 0 {
            let branch = if cut.is_none() { "└─ " } else { "├─ " };
            writeln!(self.out, "{below}{branch}… {hidden}")?;
        }
        match cut {
            Some(cut) => self.cut(cut, &story.cut_names(number), wide, below),
            None => Ok(()),
        }
    }

    /// A node alone: its name, its window, its answer.
    fn label(&mut self, story: &Story<'_>, number: usize, stem: &str) -> io::Result<()> {
        let node = story.node(number);
        let mark = match node.turn {
            Chooser::Max => '▲',
            Chooser::Min => '▼',
        };
        let name = match node.way {
            Way::Evaluated => story.name(number),
            _ => format!("{mark} {}", story.name(number)),
        };
        let note = match (node.way, story.is_repeated(number)) {
            (Way::Remembered, _) => "  (table 置換表)",
            (_, true) => "  (again 再探索)",
            _ => "",
        };
        let pad = COLUMN.saturating_sub(stem.chars().count() + name.chars().count());
        let window = story.window(number).unwrap_or_default();
        let value = number_text(node.value);
        writeln!(
            self.out,
            "{stem}{name}{:pad$} {window:<16} = {value}{note}",
            ""
        )
    }

    /// The branches that a node left out, and why.
    fn cut(&mut self, cut: Cutoff, names: &[String], wide: usize, below: &str) -> io::Result<()> {
        let names = match names.len() <= wide {
            true => names.join(" "),
            false => format!("{} … ({})", names[..wide].join(" "), names.len()),
        };
        writeln!(self.out, "{below}└─ ✂ {names}   {}", cut.rule)?;
        let [en, ja] = cut.reason;
        for (wanted, reason) in [(Language::En, en), (Language::Ja, ja)] {
            if self.language.has(wanted) {
                writeln!(self.out, "{below}     {reason}")?;
            }
        }
        Ok(())
    }

    fn heading(&mut self, words: Both, rule: char) -> io::Result<()> {
        let title = match self.language {
            Language::En => words.en.to_owned(),
            Language::Ja => words.ja.to_owned(),
            Language::Both if words.en == words.ja => words.en.to_owned(),
            Language::Both => format!("{} — {}", words.en, words.ja),
        };
        let length: usize = title
            .chars()
            .map(|letter| if letter.is_ascii() { 1 } else { 2 })
            .sum();
        writeln!(self.out, "{title}\n{}\n", rule.to_string().repeat(length))
    }

    fn paragraph(&mut self, words: Both) -> io::Result<()> {
        if self.language.has(Language::En) {
            writeln!(self.out, "{}", wrapped(words.en))?;
        }
        if self.language.has(Language::Ja) {
            writeln!(self.out, "{}", words.ja)?;
        }
        writeln!(self.out)
    }

    fn line(&mut self, en: &str, ja: &str) -> io::Result<()> {
        for (wanted, text) in [(Language::En, en), (Language::Ja, ja)] {
            if self.language.has(wanted) {
                writeln!(self.out, "{text}")?;
            }
        }
        Ok(())
    }
}

/// Breaks a text with spaces into lines.
fn wrapped(text: &str) -> String {
    let mut lines = vec![String::new()];
    for word in text.split_whitespace() {
        let line = lines.last_mut().expect("there is a first line");
        if line.is_empty() {
            line.push_str(word);
        } else if line.chars().count() + 1 + word.chars().count() <= WIDTH {
            line.push(' ');
            line.push_str(word);
        } else {
            lines.push(word.to_owned());
        }
    }
    lines.join("\n")
}
