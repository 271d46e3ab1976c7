//! `tesuji teach`: the course in game-tree search, every rung on a drawn tree and a real position.

mod page;
mod picture;
mod text;

use crate::answer::{ExitStatus, Failure, save, write_json};
use crate::arguments::{PositionArgs, named};
use clap::{Args, ValueEnum};
use std::io::{BufWriter, Write};
use std::path::PathBuf;
use tesuji_eval::Relation;
use tesuji_search::ladder::{
    BestTable, BoardTree, BoundsTable, Climb, Drawn, Fault, IncrementalLeafEval, LESSON, MoveOrder,
    NoTable, Rung, Trace,
};
use tesuji_search::lesson::findings;
use tesuji_shogi::{Move, Position, Value};
use text::Text;

const EXAMPLES: &str = "\
Examples:
  tesuji teach                                  every rung, with the tree drawn and the cuts explained
  tesuji teach --rung alpha-beta --language ja  one rung, in Japanese
  tesuji teach --html course.html               the same as a page with pictures
  tesuji teach --tree '[[3 12 8] [2 4 6] [14 5 2]]'
  tesuji teach --sfen '4k4/9/4P4/9/9/9/9/9/4K4 b G 1' --depth 3
  tesuji teach --tree '[[3 12] [2 8 9] [14 1]]' --fault forgotten-sign
                                                a mistake, and what comes of it
  tesuji teach --listing ruby                   the rungs as pseudocode
  tesuji teach --rung pvs --json                every node, for a program that draws it

A tree is drawn with brackets: leaves are numbers, good for Max if they are large, and a node is its
branches in brackets. A number before the bracket is what a search sees that stops there.
The lessons as a text to read are in docs/course.md and docs/course.ja.md.";

/// Teaches game-tree search, from minimax to iterative deepening
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Teach {
    /// A rung of the ladder: minimax, negamax, alpha-beta, nega-alpha-beta, fail-soft, pvs, mtdf or
    /// deepening; repeat it for several, leave it out for all
    #[arg(long, value_name = "NAME")]
    rung: Vec<Rung>,
    /// The drawn tree
    #[arg(long, default_value = LESSON, value_name = "TREE", hide_default_value = true)]
    tree: Drawn,
    /// Where MTD(f) begins
    #[arg(long, default_value_t = 70, value_name = "N", allow_negative_numbers = true,
          value_parser = clap::value_parser!(i32).range(-30_000..=30_000))]
    guess: i32,
    #[command(flatten)]
    position: PositionArgs,
    /// How many moves deep the real position is searched; minimax looks at everything
    #[arg(long, default_value_t = 3, value_name = "N",
          value_parser = clap::value_parser!(u32).range(1..=5))]
    depth: u32,
    /// How many branches of a node are drawn of the real position
    #[arg(long, default_value_t = 3, value_name = "N",
          value_parser = clap::value_parser!(u16).range(1..=600))]
    wide: u16,
    /// English, Japanese or both; a page has both unless told otherwise
    #[arg(long, value_enum)]
    language: Option<Language>,
    /// Write the course as a page to this file
    #[arg(long, value_name = "FILE", conflicts_with = "json")]
    html: Option<PathBuf>,
    /// Print one JSON object per rung: every node with its window, value and cuts; of the drawn tree,
    /// or of the real position if one is named
    #[arg(long)]
    json: bool,
    /// Show negamax alpha-beta with a mistake in it on the drawn tree, beside the right one
    #[arg(long, value_name = "NAME", conflicts_with_all = ["html", "json", "rung"],
          value_parser = named::<Fault>(&["strict-cut", "return-alpha", "forgotten-sign", "unturned-window"]))]
    fault: Option<Fault>,
    /// Print the rungs as code and nothing else
    #[arg(long, value_enum, value_name = "LANGUAGE", conflicts_with_all = ["html", "json", "fault"])]
    listing: Option<Listing>,
}

/// In which language a listing is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum Listing {
    /// The code that runs
    Rust,
    /// Pseudocode to read
    Ruby,
}

/// After 7g7f 3c3d the bishops face each other.
const BISHOPS: &str = "lnsgkgsnl/1r5b1/pppppp1pp/6p2/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL b - 3";

/// In which languages to teach.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum Language {
    /// English
    En,
    /// Japanese (日本語)
    Ja,
    /// Both (両方)
    Both,
}

impl Language {
    /// Whether texts in a language are wanted.
    fn has(self, other: Self) -> bool {
        self == Self::Both || self == other
    }
}

/// What the rungs do on the real position.
struct Real {
    pos: Position,
    depth: u32,
    /// Every rung at every depth.
    climbs: Vec<(Rung, Vec<Climb<Move>>)>,
    /// One rung in full, to be drawn.
    trace: Trace,
}

/// Everything that is taught.
struct Course {
    drawn: Drawn,
    drawing: String,
    traces: Vec<Trace>,
    real: Real,
    wide: usize,
}

/// Slots of the tables: more than there are nodes on any tree that is taught with.
const SLOTS: usize = 1 << 16;

impl Teach {
    /// Teaches.
    pub(crate) fn run(&self) -> Result<ExitStatus, Failure> {
        if self.json {
            self.print_traces()?;
            return Ok(ExitStatus::Yes);
        }
        if let Some(listing) = self.listing {
            let mut out = BufWriter::new(std::io::stdout().lock());
            for rung in self.rungs() {
                let code = match listing {
                    Listing::Rust => rung.source(),
                    Listing::Ruby => rung.ruby(),
                };
                writeln!(out, "# {rung}\n\n{code}")?;
            }
            out.flush()?;
            return Ok(ExitStatus::Yes);
        }
        if let Some(fault) = self.fault {
            let mut out = BufWriter::new(std::io::stdout().lock());
            let language = self.language.unwrap_or(Language::En);
            let mut text = Text {
                out: &mut out,
                language,
            };
            let right = Rung::NegaAlphaBeta.trace(self.tree.clone(), Value::ZERO, &mut NoTable);
            text.fault(&fault.trace(self.tree.clone()), &right, fault.name())?;
            out.flush()?;
            return Ok(ExitStatus::Yes);
        }
        let bishops = Position::from_sfen(BISHOPS).expect("the position of the course is one");
        let course = self.course(&self.position.read_one(&bishops)?);
        match &self.html {
            Some(path) => {
                let page = page::page(&course, self.language.unwrap_or(Language::Both));
                save(path, &page)?;
            }
            None => self.tell(&course)?,
        }
        Ok(ExitStatus::Yes)
    }

    /// Every node as JSON: of the drawn tree, or of a real position.
    fn print_traces(&self) -> Result<(), Failure> {
        let mut out = BufWriter::new(std::io::stdout().lock());
        let traces = match self.position.is_given() {
            true => self.real_traces(&self.position.read_one(&Position::start())?),
            false => self.traces(),
        };
        for trace in traces {
            write_json(&mut out, &trace)?;
        }
        out.flush()?;
        Ok(())
    }

    fn real_traces(&self, pos: &Position) -> Vec<Trace> {
        let eval = Relation::new();
        let trace = |rung: Rung| {
            let leaf = IncrementalLeafEval::new(&eval);
            let tree = BoardTree::new(pos.clone(), leaf, MoveOrder::Captures, self.depth);
            rung.trace(tree, Value::ZERO, &mut BoundsTable::new(SLOTS))
        };
        self.rungs().into_iter().map(trace).collect()
    }

    fn tell(&self, course: &Course) -> std::io::Result<()> {
        let mut out = BufWriter::new(std::io::stdout().lock());
        let language = self.language.unwrap_or(Language::En);
        let mut text = Text {
            out: &mut out,
            language,
        };
        text.preface(&course.drawing)?;
        for (number, trace) in (1..).zip(&course.traces) {
            text.rung(number, trace, &findings(&course.drawn, trace))?;
        }
        text.counts(&course.traces)?;
        text.real(&course.real, course.wide)?;
        out.flush()
    }

    fn rungs(&self) -> Vec<Rung> {
        match self.rung.is_empty() {
            true => Rung::ALL.to_vec(),
            false => self.rung.clone(),
        }
    }

    fn traces(&self) -> Vec<Trace> {
        let (tree, guess) = (&self.tree, Value::new(self.guess));
        let trace = |rung: Rung| match rung {
            Rung::Mtdf => rung.trace(tree.clone(), guess, &mut BoundsTable::new(SLOTS)),
            Rung::Deepening => rung.trace(tree.clone(), guess, &mut BestTable::new(SLOTS)),
            _ => rung.trace(tree.clone(), guess, &mut NoTable),
        };
        self.rungs().into_iter().map(trace).collect()
    }

    fn course(&self, pos: &Position) -> Course {
        Course {
            drawn: self.tree.clone(),
            drawing: self.tree.to_string(),
            traces: self.traces(),
            real: self.real(pos),
            wide: usize::from(self.wide),
        }
    }

    fn real(&self, pos: &Position) -> Real {
        let eval = Relation::new();
        let tree = |depth| {
            let eval = IncrementalLeafEval::new(&eval);
            BoardTree::new(pos.clone(), eval, MoveOrder::Captures, depth)
        };
        let mut climbs: Vec<(Rung, Vec<Climb<Move>>)> = Vec::new();
        for rung in self.rungs() {
            // What the depth before said is the best guess there is.
            let mut guess = Value::ZERO;
            let climb = |depth| {
                let climb = match rung {
                    Rung::Mtdf => rung.count(tree(depth), guess, &mut BoundsTable::new(SLOTS)),
                    _ => rung.count(tree(depth), guess, &mut BestTable::new(SLOTS)),
                };
                guess = climb.value;
                climb
            };
            climbs.push((rung, (1..=self.depth).map(climb).collect()));
        }
        // Of several rungs the one is drawn that shows the most with the least.
        let drawn = match self.rung[..] {
            [rung] => rung,
            _ => Rung::AlphaBeta,
        };
        let trace = drawn.trace(tree(self.depth), Value::ZERO, &mut BoundsTable::new(SLOTS));
        Real {
            pos: pos.clone(),
            depth: self.depth,
            climbs,
            trace,
        }
    }
}
