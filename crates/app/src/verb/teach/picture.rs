//! A trace as a picture: triangles, windows, and the cuts where they happen.

use super::Language;
use std::fmt::Write;
use tesuji_search::ladder::{Chooser, Drawn, Way};
use tesuji_search::lesson::{Story, number_text};

/// Between two leaves, in pixels.
const STEP: f64 = 74.0;
/// Between two levels.
const LEVEL: f64 = 96.0;
/// Around the picture.
const MARGIN: f64 = 48.0;

/// A picture, and the notes to its numbers.
pub(super) struct Picture {
    pub(super) svg: String,
    pub(super) notes: Vec<Note>,
}

/// What is said about a cut, in English and Japanese.
pub(super) struct Note {
    pub(super) number: usize,
    pub(super) names: String,
    pub(super) rule: String,
    pub(super) reason: [String; 2],
}

/// Draws one pass of a trace.
pub(super) struct Painter<'s> {
    pub(super) story: &'s Story<'s>,
    /// Knows the leaves that were cut off, if the tree was drawn by hand.
    pub(super) drawn: Option<&'s Drawn>,
    /// At most so many branches of a node.
    pub(super) wide: usize,
    pub(super) language: Language,
    pub(super) first_note: usize,
}

/// A picture being painted.
struct Canvas {
    /// Edges lie below the nodes.
    edges: String,
    nodes: String,
    notes: Vec<Note>,
    /// Where the next leaf goes.
    next: f64,
    levels: u32,
}

impl Painter<'_> {
    pub(super) fn paint(&self, root: usize) -> Picture {
        let mut canvas = Canvas {
            edges: String::new(),
            nodes: String::new(),
            notes: Vec::new(),
            next: 0.0,
            levels: 0,
        };
        self.node(&mut canvas, root);
        let width = canvas.next.max(1.0).mul_add(STEP, 2.0 * MARGIN);
        let height = f64::from(canvas.levels).mul_add(LEVEL, 2.0 * MARGIN + 24.0);
        let svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width:.0} {height:.0}\" \
             style=\"max-width:{width:.0}px\" role=\"img\">{}{}</svg>",
            canvas.edges, canvas.nodes
        );
        Picture {
            svg,
            notes: canvas.notes,
        }
    }

    /// Paints a node and everything below it; says where it stands.
    fn node(&self, canvas: &mut Canvas, number: usize) -> f64 {
        let node = self.story.node(number);
        canvas.levels = canvas.levels.max(node.ply);
        let children = &self.story.children[number];
        let shown = children.len().min(self.wide);
        let mut places: Vec<(f64, &str)> = Vec::new();
        for &child in &children[..shown] {
            places.push((self.node(canvas, child), "edge"));
        }
        if children.len() > shown {
            let more = format!("… {}", children.len() - shown);
            places.push((canvas.stub(node.ply + 1, "more", &more, &[]), "edge"));
        }
        let cut_at = self.cut(canvas, number);
        places.extend(cut_at.map(|place| (place, "cut")));
        let here = match (places.first(), places.last()) {
            (Some(first), Some(last)) => f64::midpoint(first.0, last.0),
            _ => canvas.place(),
        };
        let y = height_of(node.ply);
        for (place, class) in places {
            canvas.edge(class, (here, y), (place, height_of(node.ply + 1)));
        }
        self.mark(canvas, number, here);
        here
    }

    /// The branches that were left out, as one stub with its reason beside it.
    fn cut(&self, canvas: &mut Canvas, number: usize) -> Option<f64> {
        let cut = self.story.cut(number)?;
        let names = self.story.cut_names(number);
        let lost: Vec<String> = match self.drawn {
            Some(drawn) => names
                .iter()
                .flat_map(|name| drawn.leaves_below(name))
                .map(number_text)
                .collect(),
            None => Vec::new(),
        };
        let names = match names.len() {
            0..=3 => names.join(" "),
            count => format!("{} … ({count})", names[..2].join(" ")),
        };
        let note = self.first_note + canvas.notes.len();
        let title = self.chosen(&cut.reason);
        let lines = [cut.rule.clone(), lost.join(" ")];
        canvas.nodes.push_str("<g>");
        let _ = write!(canvas.nodes, "<title>{}</title>", escaped(&title));
        let ply = self.story.node(number).ply + 1;
        canvas.levels = canvas.levels.max(ply);
        let place = canvas.stub(ply, "cut", &format!("✂{note} {names}"), &lines);
        canvas.nodes.push_str("</g>");
        canvas.notes.push(Note {
            number: note,
            names,
            rule: cut.rule,
            reason: cut.reason,
        });
        Some(place)
    }

    /// The triangle or the leaf, with its name, window and value.
    fn mark(&self, canvas: &mut Canvas, number: usize, here: f64) {
        let node = self.story.node(number);
        let (x, y) = (across(here), height_of(node.ply));
        let shape = match (node.way, node.turn) {
            (Way::Evaluated, _) => {
                format!(
                    "<rect class=\"leaf\" x=\"{:.1}\" y=\"{:.1}\" width=\"40\" height=\"24\" rx=\"4\"/>",
                    x - 20.0,
                    y - 12.0
                )
            }
            (Way::Remembered, _) => {
                format!(
                    "<rect class=\"table\" x=\"{:.1}\" y=\"{:.1}\" width=\"44\" height=\"26\" rx=\"13\"/>",
                    x - 22.0,
                    y - 13.0
                )
            }
            (Way::Searched, Chooser::Max) => polygon("max", x, y, -1.0),
            (Way::Searched, Chooser::Min) => polygon("min", x, y, 1.0),
        };
        let again = if self.story.is_repeated(number) {
            " ↻"
        } else {
            ""
        };
        let name = format!("{}{again}", self.story.name(number));
        let window = match node.way {
            Way::Evaluated => None,
            _ => self.story.window(number),
        };
        canvas.nodes.push_str(&shape);
        canvas.text("value", (x, y + 5.0), &number_text(node.value));
        canvas.text(
            "name",
            (x, y - if window.is_some() { 36.0 } else { 24.0 }),
            &name,
        );
        if let Some(window) = window {
            canvas.text("window", (x, y - 23.0), &window);
        }
    }

    fn chosen(&self, [en, ja]: &[String; 2]) -> String {
        match self.language {
            Language::En => en.clone(),
            Language::Ja => ja.clone(),
            Language::Both => format!("{en} / {ja}"),
        }
    }
}

impl Canvas {
    /// The next place for a leaf.
    fn place(&mut self) -> f64 {
        let place = self.next;
        self.next += 1.0;
        place
    }

    /// Something that was not visited: a name and lines below it.
    fn stub(&mut self, ply: u32, class: &str, name: &str, lines: &[String]) -> f64 {
        // The text is wider than a leaf.
        let place = self.place() + 0.25;
        self.next += 0.5;
        let (x, y) = (across(place), height_of(ply));
        self.text(class, (x, y), name);
        for (line, down) in lines
            .iter()
            .filter(|line| !line.is_empty())
            .zip([14.0, 28.0])
        {
            self.text("lost", (x, y + down), line);
        }
        place
    }

    fn edge(&mut self, class: &str, (x1, y1): (f64, f64), (x2, y2): (f64, f64)) {
        let (x1, x2) = (across(x1), across(x2));
        let _ = write!(
            self.edges,
            "<line class=\"{class}\" x1=\"{x1:.1}\" y1=\"{:.1}\" x2=\"{x2:.1}\" y2=\"{:.1}\"/>",
            y1 + 12.0,
            y2 - 16.0
        );
    }

    fn text(&mut self, class: &str, (x, y): (f64, f64), text: &str) {
        let text = escaped(text);
        let _ = write!(
            self.nodes,
            "<text class=\"{class}\" x=\"{x:.1}\" y=\"{y:.1}\">{text}</text>"
        );
    }
}

fn across(place: f64) -> f64 {
    (place + 0.5).mul_add(STEP, MARGIN)
}

fn height_of(ply: u32) -> f64 {
    f64::from(ply).mul_add(LEVEL, MARGIN)
}

/// A triangle that points up (−1) for Max or down (1) for Min.
fn polygon(class: &str, x: f64, y: f64, way: f64) -> String {
    let (tip, base) = (y + way * 20.0, y - way * 12.0);
    let (left, right) = (x - 26.0, x + 26.0);
    format!(
        "<polygon class=\"{class}\" points=\"{x:.1},{tip:.1} {left:.1},{base:.1} {right:.1},{base:.1}\"/>"
    )
}

/// A text without anything that a page would take for its own.
pub(super) fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}
