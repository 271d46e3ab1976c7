//! What holds for every evaluator that needs no large file.

mod common;

use common::{is_fair, is_kept};
use tesuji_eval::pairs::{Kp, Pp, synthetic};
use tesuji_eval::{Combined, Material, Relation};

#[test]
fn material_is_kept_and_fair() {
    is_kept(&Material, 3000);
    is_fair(&Material, 300);
}

#[test]
fn relations_are_kept_and_fair() {
    is_kept(&Relation::new(), 3000);
    is_fair(&Relation::new(), 300);
}

#[test]
fn sums_of_two_are_kept_and_fair() {
    let both = Combined(Material, Relation::new());
    is_kept(&both, 3000);
    is_fair(&both, 300);
}

#[test]
fn small_pair_tables_are_kept_and_fair() {
    let kp = Kp::from_fn(|king, piece| synthetic::small(1, king, piece));
    is_kept(&kp, 2000);
    is_fair(&kp, 300);
    let pp = Pp::from_fn(|p, q| synthetic::small(2, p, q));
    is_kept(&pp, 2000);
    is_fair(&pp, 300);
}
