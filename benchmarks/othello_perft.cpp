// Othello perft: the same algorithm as kibitz/games/othello.py under kibitz/core/perft.py, function for function, as C++ would have it.
// Prints the number of paths and the seconds it took, once per repetition: othello_perft DEPTH REPETITIONS

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

namespace {

using Squares = std::uint64_t;

constexpr int PASS = 64;
constexpr int OVER = -1;
constexpr int MAX_MOVES = 60;
constexpr int MAX_PLIES = 120;
constexpr int LOOK_DEPTH = 3;
constexpr Squares INNER = 0x7E7E7E7E7E7E7E7E;

struct State {
    Squares mine, theirs, open;
    std::int8_t turn;
};

struct Workspace {
    std::int64_t nodes;
    volatile std::int64_t limit;  // nobody sets it to zero here to stop the count, but looking at it is part of the work
    State states[MAX_PLIES + 1];
    std::int32_t lists[MAX_PLIES + 1][MAX_MOVES];
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

std::int64_t paths(Workspace& w, int ply, int depth) {
    const State& s = w.states[ply];
    const int n = s.turn == OVER ? 0 : moves(s, w.lists[ply]);
    if (depth == 1) return n;
    std::int64_t total = 0;
    if (depth > LOOK_DEPTH && w.limit == 0) return total;
    for (int i = 0; i < n; i++) {
        w.states[ply + 1] = s;
        play(w.states[ply + 1], w.lists[ply][i]);
        total += paths(w, ply + 1, depth - 1);
    }
    return total;
}

Workspace workspace;

}  // namespace

int main(int count, char** words) {
    const int depth = count > 1 ? std::atoi(words[1]) : 10, repetitions = count > 2 ? std::atoi(words[2]) : 1;
    for (int i = 0; i < repetitions; i++) {
        start(workspace.states[0]);
        workspace.limit = 1LL << 62;
        const auto began = std::chrono::steady_clock::now();
        const std::int64_t found = paths(workspace, 0, depth);
        const std::chrono::duration<double> took = std::chrono::steady_clock::now() - began;
        std::printf("%lld %.6f\n", static_cast<long long>(found), took.count());
    }
}
