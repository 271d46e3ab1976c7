//! The lessons as one page: no scripts, nothing fetched, both languages.

use super::picture::{Note, Painter, escaped};
use super::{Course, Language, Real};
use std::fmt::Write;
use tesuji_search::ladder::{Drawn, Trace};
use tesuji_search::lesson::words::{self, Both, lesson};
use tesuji_search::lesson::{Naming, Story, findings, number_text};

/// The whole page.
pub(super) fn page(course: &Course, language: Language) -> String {
    let mut page = LessonPage {
        html: String::new(),
        language,
    };
    page.heading("h1", words::TITLE);
    page.paragraph(words::PREFACE);
    page.paragraph(words::LEGEND);
    let _ = write!(page.html, "<pre>{}</pre>", escaped(&course.drawing));
    for (number, trace) in (1..).zip(&course.traces) {
        page.rung(number, trace, &course.drawn);
    }
    page.counts(&course.traces);
    page.real(&course.real, course.wide);
    page.finish()
}

struct LessonPage {
    html: String,
    language: Language,
}

impl LessonPage {
    fn rung(&mut self, number: usize, trace: &Trace, drawn: &Drawn) {
        let lesson = lesson(trace.rung);
        let name = trace.rung.name();
        let _ = write!(
            self.html,
            "<section id=\"{name}\"><p class=\"number\">{number}</p>"
        );
        self.heading("h2", lesson.title);
        self.paragraph(lesson.idea);
        let code = escaped(code_of(trace.rung.source()));
        let ruby = escaped(trace.rung.ruby());
        let _ = write!(
            self.html,
            "<pre><code>{code}</code></pre><details><summary>Ruby</summary>\
             <pre><code>{ruby}</code></pre></details>"
        );
        self.passes(&Story::new(trace, Naming::Way), Some(drawn), usize::MAX);
        let (value, nodes, leaves) = (number_text(trace.value), trace.nodes.len(), trace.leaves());
        self.tagged(
            "p",
            &format!("Value {value}, {nodes} nodes, {leaves} leaves."),
            &format!("値 {value}、節点 {nodes}、葉 {leaves}。"),
        );
        for [en, ja] in findings(drawn, trace) {
            self.tagged("p", &en, &ja);
        }
        self.html.push_str("<dl>");
        for (question, answer) in lesson.questions {
            self.tagged("dt", question.en, question.ja);
            self.tagged("dd", answer.en, answer.ja);
        }
        self.html.push_str("</dl></section>");
    }

    /// Every pass with its picture and the notes to it.
    fn passes(&mut self, story: &Story<'_>, drawn: Option<&Drawn>, wide: usize) {
        let passes: Vec<usize> = story.trace.passes().collect();
        let mut first_note = 1;
        for (pass, &root) in (1..).zip(&passes) {
            let painter = Painter {
                story,
                drawn,
                wide,
                language: self.language,
                first_note,
            };
            let picture = painter.paint(root);
            first_note += picture.notes.len();
            self.html.push_str("<figure>");
            if passes.len() > 1 {
                self.tagged(
                    "figcaption",
                    &format!("Pass {pass}"),
                    &format!("第 {pass} 回"),
                );
            }
            self.html.push_str(&picture.svg);
            self.html.push_str("</figure>");
            self.notes(&picture.notes);
        }
    }

    fn notes(&mut self, notes: &[Note]) {
        if notes.is_empty() {
            return;
        }
        self.html.push_str("<ul class=\"notes\">");
        for Note {
            number,
            names,
            rule,
            reason,
        } in notes
        {
            let (names, rule) = (escaped(names), escaped(rule));
            let _ = write!(self.html, "<li><b>✂{number}</b> {names} <i>{rule}</i>");
            let [en, ja] = reason;
            self.tagged("div", en, ja);
            self.html.push_str("</li>");
        }
        self.html.push_str("</ul>");
    }

    fn counts(&mut self, traces: &[Trace]) {
        self.html.push_str("<section id=\"counts\">");
        self.heading("h2", words::COUNTS);
        let most = traces
            .iter()
            .map(|trace| trace.nodes.len())
            .max()
            .unwrap_or(0)
            .max(1);
        self.html.push_str("<table><tr><th></th><th>value 値</th><th>nodes 節点</th><th>leaves 葉</th><th></th></tr>");
        for trace in traces {
            let nodes = trace.nodes.len();
            let _ = write!(
                self.html,
                "<tr><th><a href=\"#{name}\">{name}</a></th><td>{}</td><td>{nodes}</td><td>{}</td>\
                 <td class=\"bar\"><span style=\"width:{}px\"></span></td></tr>",
                number_text(trace.value),
                trace.leaves(),
                nodes * 240 / most,
                name = trace.rung.name(),
            );
        }
        self.html.push_str("</table></section>");
    }

    fn real(&mut self, real: &Real, wide: usize) {
        self.html.push_str("<section id=\"real\">");
        self.heading("h2", words::REAL);
        self.paragraph(words::REAL_PREFACE);
        let board = escaped(&real.pos.to_string());
        let _ = write!(
            self.html,
            "<pre>{}\n{board}</pre>",
            escaped(&real.pos.to_sfen())
        );
        self.html.push_str("<table><tr><th></th>");
        for depth in 1..=real.depth {
            let _ = write!(self.html, "<th colspan=\"3\">depth 深さ {depth}</th>");
        }
        self.html.push_str("</tr>");
        for (rung, climbs) in &real.climbs {
            let _ = write!(self.html, "<tr><th>{}</th>", rung.name());
            for climb in climbs {
                let best = climb.best.map_or_else(|| "–".into(), |mv| mv.to_string());
                let value = number_text(climb.value);
                let nodes = climb.nodes;
                let _ = write!(self.html, "<td>{value}</td><td>{best}</td><td>{nodes}</td>");
            }
            self.html.push_str("</tr>");
        }
        self.html.push_str("</table>");
        let _ = write!(self.html, "<h3>{}</h3>", real.trace.rung.name());
        self.passes(&Story::new(&real.trace, Naming::Branch), None, wide);
        self.html.push_str("</section>");
    }

    fn heading(&mut self, tag: &str, words: Both) {
        self.tagged(tag, words.en, words.ja);
    }

    fn paragraph(&mut self, words: Both) {
        self.tagged("p", words.en, words.ja);
    }

    /// The same element once for each language that is wanted.
    fn tagged(&mut self, tag: &str, en: &str, ja: &str) {
        for (wanted, code, text) in [(Language::En, "en", en), (Language::Ja, "ja", ja)] {
            if self.language.has(wanted) {
                let text = escaped(text);
                let _ = write!(self.html, "<{tag} lang=\"{code}\">{text}</{tag}>");
            }
        }
    }

    fn finish(self) -> String {
        let (code, title) = match self.language {
            Language::Ja => ("ja", words::TITLE.ja),
            _ => ("en", words::TITLE.en),
        };
        // Two buttons that hide one language each, without a script.
        let switch = match self.language {
            Language::Both => SWITCH,
            _ => "",
        };
        format!(
            "<!DOCTYPE html>\n<html lang=\"{code}\"><head><meta charset=\"utf-8\"/>\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\
             <title>{title}</title><style>{STYLE}</style></head>\n<body>{switch}<main>{}</main></body></html>\n",
            self.html
        )
    }
}

/// The code of a rung without the lines that only a compiler needs.
fn code_of(source: &str) -> &str {
    let start = source.find("\n\n///").or_else(|| source.find("\n\npub fn"));
    start.map_or(source, |start| source[start..].trim())
}

const SWITCH: &str = "<input type=\"radio\" name=\"language\" id=\"both\" checked=\"checked\"/>\
    <label for=\"both\">English + 日本語</label>\
    <input type=\"radio\" name=\"language\" id=\"only-en\"/><label for=\"only-en\">English</label>\
    <input type=\"radio\" name=\"language\" id=\"only-ja\"/><label for=\"only-ja\">日本語</label>";

const STYLE: &str = "\
:root{color-scheme:light dark;--ink:#1d2330;--paper:#fbfaf7;--soft:#8a93a3;--max:#2f6f4f;--min:#8a4b2a;--cut:#c0392b}\
@media(prefers-color-scheme:dark){:root{--ink:#e6e3da;--paper:#15181e;--soft:#8f98a8;--max:#4fa37a;--min:#c98256;--cut:#ff7a6b}}\
body{font:17px/1.65 system-ui,'Noto Sans JP','Hiragino Sans',sans-serif;color:var(--ink);background:var(--paper);margin:1.5rem}\
main{max-width:64rem;margin:auto}section{border-top:1px solid var(--soft);margin-top:2.5rem;padding-top:1rem}\
.number{float:right;font-size:2rem;color:var(--soft);margin:0}h2{margin:.2rem 0}\
pre{overflow-x:auto;background:color-mix(in srgb,var(--soft) 14%,transparent);padding:.8rem;border-radius:6px;font-size:14px;line-height:1.45}\
figure{margin:1rem 0;overflow-x:auto}svg{width:100%;min-width:36rem;height:auto}\
svg text{text-anchor:middle;font:12px system-ui,sans-serif;fill:var(--ink)}\
svg text{paint-order:stroke;stroke:var(--paper);stroke-width:4px}svg .value{stroke:none;font-weight:600;font-size:13px}svg .name{font-weight:600}svg .window,svg .lost,svg .more{fill:var(--soft);font-size:11px}\
svg text.cut{fill:var(--cut);font-weight:600}svg .edge{stroke:var(--soft);stroke-width:1.4}\
svg line.cut{stroke:var(--cut);stroke-width:1.6;stroke-dasharray:5 4}\
svg .max{fill:color-mix(in srgb,var(--max) 22%,var(--paper));stroke:var(--max);stroke-width:1.6}\
svg .min{fill:color-mix(in srgb,var(--min) 22%,var(--paper));stroke:var(--min);stroke-width:1.6}\
svg .leaf{fill:var(--paper);stroke:var(--soft)}svg .table{fill:none;stroke:var(--soft);stroke-dasharray:2 3}\
.notes{padding-left:1.2rem}.notes b,.notes i{color:var(--cut)}.notes i{margin-left:.6em}\
dt{font-weight:600;margin-top:.8rem}dd{margin-left:1.2rem}[lang=ja]{line-height:1.9}\
table{border-collapse:collapse;display:block;overflow-x:auto}td,th{padding:.15rem .7rem;text-align:right;border-bottom:1px solid color-mix(in srgb,var(--soft) 40%,transparent)}\
th:first-child{text-align:left}.bar span{display:block;height:.8rem;background:var(--max);border-radius:3px}\
a{color:inherit}#only-en:checked~main [lang=ja],#only-ja:checked~main [lang=en]{display:none}label{margin-right:1rem}";
