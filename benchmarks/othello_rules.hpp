// The rules of kibitz/games/othello.py, function for function, for the C++ twins.

#pragma once

#include <cstdint>

namespace {

using Squares = std::uint64_t;

constexpr int PASS = 64;
constexpr int OVER = -1;
constexpr int MAX_MOVES = 60;
constexpr int MAX_PLIES = 120;
constexpr Squares NOT_FIRST_COLUMN = 0xFEFEFEFEFEFEFEFE, NOT_LAST_COLUMN = 0x7F7F7F7F7F7F7F7F;
constexpr Squares INNER = NOT_FIRST_COLUMN & NOT_LAST_COLUMN;

struct State {
    Squares mine, theirs, open;
    std::int8_t turn;
};

// The squares just beyond unbroken lines of `through` that begin beside `origins`, STEP bits apart, both ways.
template <int STEP>
inline Squares line_ends(Squares origins, Squares through) {
    Squares up = through & (origins << STEP), down = through & (origins >> STEP);
    up |= through & (up << STEP), down |= through & (down >> STEP);
    const Squares pairs_up = through & (through << STEP), pairs_down = through & (through >> STEP);
    up |= pairs_up & (up << 2 * STEP), down |= pairs_down & (down >> 2 * STEP);
    up |= pairs_up & (up << 2 * STEP), down |= pairs_down & (down >> 2 * STEP);
    return (up << STEP) | (down >> STEP);
}

inline Squares placements(Squares mine, Squares theirs) {
    const Squares inner = theirs & INNER;
    const Squares ends = line_ends<1>(mine, inner) | line_ends<8>(mine, theirs) | line_ends<7>(mine, inner) | line_ends<9>(mine, inner);
    return ends & ~(mine | theirs);
}

// The unbroken lines of `through` from `disc`, STEP bits apart and both ways, that end at one of `mine`.
template <int STEP>
inline Squares enclosed(Squares mine, Squares through, Squares disc) {
    Squares up = through & (disc << STEP), down = through & (disc >> STEP);
    up |= through & (up << STEP), down |= through & (down >> STEP);
    const Squares pairs_up = through & (through << STEP), pairs_down = through & (through >> STEP);
    up |= pairs_up & (up << 2 * STEP), down |= pairs_down & (down >> 2 * STEP);
    up |= pairs_up & (up << 2 * STEP), down |= pairs_down & (down >> 2 * STEP);
    if (((up << STEP) & mine) == 0) up = 0;
    if (((down >> STEP) & mine) == 0) down = 0;
    return up | down;
}

inline Squares turned_by(Squares mine, Squares theirs, Squares disc) {
    const Squares inner = theirs & INNER;
    return enclosed<1>(mine, inner, disc) | enclosed<8>(mine, theirs, disc) | enclosed<7>(mine, inner, disc) | enclosed<9>(mine, inner, disc);
}

inline void settle(State& s, Squares mine, Squares theirs, int turn) {
    s.mine = mine, s.theirs = theirs, s.turn = turn;
    s.open = placements(mine, theirs);
    if (s.open == 0 && placements(theirs, mine) == 0) {
        if (turn == 1) s.mine = theirs, s.theirs = mine;
        s.turn = OVER;
    }
}

inline void start(State& s) { settle(s, 1ULL << 28 | 1ULL << 35, 1ULL << 27 | 1ULL << 36, 0); }

inline int moves(const State& s, std::int32_t* out) {
    int n = 0;
    for (Squares left = s.open; left != 0; left &= left - 1) out[n++] = __builtin_ctzll(left);
    if (n == 0) out[n++] = PASS;
    return n;
}

inline void play(State& s, int move) {
    Squares mine = s.mine, theirs = s.theirs;
    if (move != PASS) {
        const Squares disc = 1ULL << move, turned = turned_by(mine, theirs, disc);
        mine |= turned | disc;
        theirs ^= turned;
    }
    settle(s, theirs, mine, 1 - s.turn);
}

}  // namespace
