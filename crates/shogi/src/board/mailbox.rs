//! 81 squares and nothing else: short, slow, obviously right.
