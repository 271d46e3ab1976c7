//! The words of the lessons, in English and Japanese.

use crate::ladder::Rung;

/// A text in both languages.
#[derive(Clone, Copy, Debug)]
pub struct Both {
    /// English.
    pub en: &'static str,
    /// Japanese.
    pub ja: &'static str,
}

/// What is told about a rung.
pub struct Lesson {
    /// Its name.
    pub title: Both,
    /// What it does, and why that is allowed.
    pub idea: Both,
    /// Questions and their answers.
    pub questions: &'static [(Both, Both)],
}

macro_rules! both {
    ($en:literal, $ja:literal $(,)?) => {
        Both { en: $en, ja: $ja }
    };
}

/// What the course is called.
pub const TITLE: Both = both!("The ladder of game-tree search", "ゲーム木探索のはしご");

/// What it is about.
pub const PREFACE: Both = both!(
    "Max and Min move in turn. A number at a leaf says how good it is for Max. What is the root worth \
     if both choose as well as they can? Every rung below gives the same answer; what changes is how \
     much of the tree it has to look at.",
    "Max と Min が交互に手を選びます。葉の数字は Max にとっての良さです。両者が最善を尽くすとき、根の値は\
     いくつでしょうか。どの段も同じ答えを出します。違うのは、そのために木をどれだけ見るかです。",
);

/// How the pictures are read.
pub const LEGEND: Both = both!(
    "▲ Max chooses, ▼ Min chooses. In parentheses stands the window (α, β) with which a node is \
     entered; the number in a node is its answer. A dashed red branch was cut: it was never looked \
     at, and the note with its number says why nothing is lost.",
    "▲ は Max の番、▼ は Min の番です。括弧の中は節点に入るときの窓 (α, β)、節点の中の数字はその答えです。\
     赤い破線は刈られた枝で、一度も見ていません。番号の付いた注が、見なくてもよい理由を説明します。",
);

/// The heading of the part with a real position.
pub const REAL: Both = both!("A real position", "実戦の局面");

/// What that part shows.
pub const REAL_PREFACE: Both = both!(
    "The same code on a shogi position: the branches are the legal moves, captures first, and the \
     leaves are valued by the built-in evaluation. Whoever moves at the root is Max.",
    "同じコードを将棋の局面で動かします。枝は合法手(取る手が先)で、葉は内蔵の評価関数で評価します。\
     根の手番が Max です。",
);

/// The heading of the table of node counts.
pub const COUNTS: Both = both!("Nodes side by side", "訪問した節点の数の比較");

/// What is told about a rung.
pub const fn lesson(rung: Rung) -> Lesson {
    match rung {
        Rung::Minimax => MINIMAX,
        Rung::Negamax => NEGAMAX,
        Rung::AlphaBeta => ALPHA_BETA,
        Rung::NegaAlphaBeta => NEGA_ALPHA_BETA,
        Rung::FailSoft => FAIL_SOFT,
        Rung::Pvs => PVS,
        Rung::Mtdf => MTDF,
        Rung::Deepening => DEEPENING,
    }
}

const MINIMAX: Lesson = Lesson {
    title: both!("Minimax", "ミニマックス法"),
    idea: both!(
        "Look at every leaf. Going back up, Max takes the greatest of the values below, Min the \
         smallest. With d branches at every node and h moves to the leaves, that is d^h leaves.",
        "すべての葉を見ます。上へ戻りながら、Max は下の値の最大を、Min は最小を取ります。どの節点にも d 本の\
         枝があり、葉まで h 手なら、葉は d^h 個です。",
    ),
    questions: &[(
        both!(
            "Why is the value of a node not the average?",
            "なぜ平均ではないのですか。"
        ),
        both!(
            "The other side does not roll dice. It takes what is worst for us, so that only that counts.",
            "相手はさいころを振りません。こちらに最も悪い手を選ぶので、それだけが意味を持ちます。",
        ),
    )],
};

const NEGAMAX: Lesson = Lesson {
    title: both!("Negamax", "ネガマックス法"),
    idea: both!(
        "Tell every value from the view of whoever chooses at the node. Then both sides maximise, and \
         going up one level turns the sign: min(a, b) = −max(−a, −b). The same nodes, half the code.",
        "値をすべて、その節点で選ぶ側から見て表します。するとどちらも最大を取るだけでよく、一段上がるごとに\
         符号を変えます。min(a, b) = −max(−a, −b) だからです。見る節点は同じで、コードは半分になります。",
    ),
    questions: &[(
        both!("What must a leaf give?", "葉は何を返すべきですか。"),
        both!(
            "Its value for the side that would move there. An evaluation that always speaks for Black \
             must be turned round when White is to move; forgetting this is the usual first bug.",
            "そこで手番の側から見た値です。いつも先手から見た評価値なら、後手番では符号を変えなければなりません。\
             これを忘れるのが最初によくある誤りです。",
        ),
    )],
};

const ALPHA_BETA: Lesson = Lesson {
    title: both!("Alpha-beta, fail-hard", "アルファベータ法(fail-hard)"),
    idea: both!(
        "Carry two numbers along: α is what Max is already sure of somewhere on the way, β what Min \
         is sure of. As soon as β ≤ α at a node, one of the two will not let the game come here, and \
         the rest of its branches cannot matter. Fail-hard: no answer lies outside the window.",
        "二つの数を持って歩きます。α は途中のどこかで Max がすでに確保した値、β は Min が確保した値です。\
         ある節点で β ≤ α になれば、どちらかがその節点へ来ることを許さないので、残りの枝は結果に影響しません。\
         fail-hard では、答えが窓の外に出ることはありません。",
    ),
    questions: &[
        (
            both!("What does it gain?", "何が得られますか。"),
            both!(
                "If the best branch always comes first, about 2·d^(h/2) leaves instead of d^h: the same \
                 time searches twice as deep. With the worst order nothing is gained.",
                "最善の枝がいつも最初に来れば、葉は d^h 個ではなくおよそ 2·d^(h/2) 個で済みます。同じ時間で\
                 二倍深く読めます。順序が最悪なら何も得られません。",
            ),
        ),
        (
            both!(
                "Why β ≤ α and not β < α?",
                "なぜ β < α ではなく β ≤ α なのですか。"
            ),
            both!(
                "At equality the node can at best tie with what is already had elsewhere. A tie changes \
                 no value, so that looking on is work for nothing.",
                "等しいとき、その節点はよくてもすでに確保した値と同じにしかなりません。同点では値が変わらないので、\
                 続きを見るのは無駄です。",
            ),
        ),
    ],
};

const NEGA_ALPHA_BETA: Lesson = Lesson {
    title: both!("Negamax alpha-beta", "ネガマックス形のアルファベータ法"),
    idea: both!(
        "From the view of whoever chooses, its own bound is always called α and the other's β. Going \
         down, the two change places and signs: (α, β) becomes (−β, −α). The same nodes again.",
        "選ぶ側から見れば、自分の限界がいつも α、相手の限界が β です。一段下がると二つは入れ替わり、符号も変わり\
         ます。(α, β) は (−β, −α) になります。見る節点は同じです。",
    ),
    questions: &[
        (
            both!(
                "Why do the bounds change places?",
                "なぜ限界が入れ替わるのですか。"
            ),
            both!(
                "What I am sure of is the most that the other can still hope for: my α, with its sign \
                 turned, is the other's β.",
                "自分が確保した値は、相手が望める上限です。自分の α の符号を変えたものが相手の β になります。",
            ),
        ),
        (
            both!(
                "After a cut: return alpha or return beta?",
                "刈った後は return alpha ですか、return beta ですか。"
            ),
            both!(
                "At the cut α has reached β or passed it. Returning β keeps the promise of fail-hard: no \
                 answer lies outside the window. Returning α gives the root the same value, since the \
                 node above only compares with its own bound; it is half a step to fail-soft, which \
                 returns the best value also when nothing reached α.",
                "刈るとき α は β に達したか、それを超えています。β を返せば、答えが窓の外に出ないという fail-hard の\
                 約束を守ります。α を返しても、上の節点は自分の限界と比べるだけなので根の値は同じです。それは\
                 fail-soft への半歩で、fail-soft は α に達しなかったときも最善値を返します。",
            ),
        ),
    ],
};

const FAIL_SOFT: Lesson = Lesson {
    title: both!("Fail-soft", "fail-soft アルファベータ法"),
    idea: both!(
        "Keep the best value apart from α and answer with it. Inside the window nothing changes. \
         Outside, the answer is a bound that says more than the end of the window does.",
        "最善値を α と別に持ち、それを答えにします。窓の中では何も変わりません。窓の外では、窓の端よりも多くを語る\
         限界が答えになります。",
    ),
    questions: &[(
        both!("What is it good for?", "何の役に立ちますか。"),
        both!(
            "A single search visits the same nodes. But a table that stores the sharper bound can answer \
             later questions that the end of a window cannot, and MTD(f) takes its next question from it. \
             The price: the value of the best branch outside the window is no longer a number that \
             somebody chose, only a bound.",
            "一回の探索で見る節点は同じです。しかし鋭い限界を置換表に入れておけば、窓の端では答えられない\
             後の問いに答えられます。MTD(f) は次の問いをこの値から作ります。その代わり、窓の外の値は実際に\
             選ばれた値ではなく、限界にすぎません。",
        ),
    )],
};

const PVS: Lesson = Lesson {
    title: both!("Principal variation search", "PVS(主要変化探索)"),
    idea: both!(
        "Believe that the first branch is the best. Of every other ask only \"better than this?\", with \
         a window (α, α+1) that holds no value and so cuts as early as possible. Only if the answer is \
         yes is the branch searched again with the full window.",
        "最初の枝が最善だと信じます。ほかの枝には「これより良いか」だけを、値を一つも含まない窓 (α, α+1) で尋ね\
         ます。この窓は最も早く刈れます。答えが「はい」のときだけ、その枝を元の窓で読み直します。",
    ),
    questions: &[(
        both!("When does it lose?", "損をするのはどんなときですか。"),
        both!(
            "When the first branch is not the best: then it looks twice at the better one. \
             With good move ordering this is rare, and the narrow windows win more than they cost.",
            "最初の枝が最善でないときです。より良い枝を二度読むことになります。手の順序が良ければまれで、\
             狭い窓の得が損を上回ります。",
        ),
    )],
};

const MTDF: Lesson = Lesson {
    title: both!("MTD(f)", "MTD(f)"),
    idea: both!(
        "Ask nothing but \"at least f?\". A no gives an upper bound, a yes a lower one, and fail-soft \
         makes each as sharp as it can be. The next question starts from the answer, until the bounds \
         meet. A table keeps it from searching the same nodes again and again.",
        "「f 以上か」だけを尋ねます。「いいえ」なら上界、「はい」なら下界が得られ、fail-soft がそれをできるだけ\
         鋭くします。答えから次の問いを作り、上下の限界が一致するまで続けます。同じ節点を何度も読まないように\
         置換表を使います。",
    ),
    questions: &[(
        both!("Where should f begin?", "f は何から始めますか。"),
        both!(
            "At the best guess there is: the value of the search one move less deep, or two, since odd \
             and even depths differ. With a perfect guess two questions are enough.",
            "手に入る最良の推測です。一手または二手浅い探索の値を使います(奇数と偶数の深さでは値が違います)。\
             推測が完全なら問いは二つで足ります。",
        ),
    )],
};

const DEEPENING: Lesson = Lesson {
    title: both!("Iterative deepening", "反復深化"),
    idea: both!(
        "Search one move deep, then two, then three. The numbers beside the inner nodes are what a \
         search sees that stops there. The best branch of each pass is remembered and tried first in \
         the next, which is what alpha-beta needs most.",
        "一手、二手、三手と順に深く読みます。内側の節点の数字は、そこで止まる探索に見える値です。各回の最善の枝を\
         覚えておき、次の回で最初に試します。それこそアルファベータ法が最も必要とするものです。",
    ),
    questions: &[(
        both!(
            "Is it not a waste to search again?",
            "読み直しは無駄ではありませんか。"
        ),
        both!(
            "The last pass is about as large as all before it times the branching, so that the others \
             cost little; they order the moves, and there is always an answer if time runs out. On a \
             tree as small as this one it costs more than it gains.",
            "最後の回はそれまでの全部よりはるかに大きいので、前の回の費用はわずかです。しかも手の順序が良くなり、\
             時間が切れてもいつでも答えがあります。この木のように小さい木では損のほうが大きくなります。",
        ),
    )],
};
