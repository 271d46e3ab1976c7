-- A book as tables. SQLite and PostgreSQL both understand this and every statement of src/sqlite.rs.
-- is_start: 0, or 1 where games begin; 2, 4 or 6 more say that a repetition in them loses for Black,
-- for White, or is a draw.
-- Moves are in USI, and 'resign' is one; a value is what the move is worth to whoever plays it.
CREATE TABLE book_position (
    id BIGINT PRIMARY KEY,
    key BYTEA NOT NULL UNIQUE,
    ply BIGINT NOT NULL,
    challenges BIGINT NOT NULL,
    is_start BIGINT NOT NULL,
    is_proven_win BIGINT NOT NULL
);
-- Where values come from: 'person', 'games', 'proof', 'search' with an engine and its nodes, …
CREATE TABLE book_source (
    id BIGINT PRIMARY KEY,
    kind TEXT NOT NULL,
    engine TEXT NOT NULL,
    nodes BIGINT NOT NULL,
    UNIQUE (kind, engine, nodes)
);
CREATE TABLE book_move (
    position BIGINT NOT NULL REFERENCES book_position (id),
    move TEXT NOT NULL,
    place BIGINT NOT NULL,
    ponder TEXT NOT NULL,
    value BIGINT NOT NULL,
    depth BIGINT NOT NULL,
    count BIGINT NOT NULL,
    won BIGINT NOT NULL,
    lost BIGINT NOT NULL,
    comment TEXT NOT NULL,
    source BIGINT NOT NULL REFERENCES book_source (id),
    PRIMARY KEY (position, move)
);
