//! One stage of a node each.

mod evaluate;
mod hindsight;
mod iir;
mod mate;
mod null_move;
mod probcut;
mod razoring;
mod reverse_futility;
mod rules;
mod tt;
