// Alpha-beta on Othello: kibitz/searches/deterministic/alphabeta.py and kibitz/searches/window/node.py bound to kibitz/games/othello.py, function for function, as C++
// would have it: the recursive form, fail-soft, without table and move ordering, to a fixed depth. It keeps the best line, counts nodes and looks
// at the limit on them just as the kernel does.
//
// Reads positions from its input, one a line: the discs of the player to move and of the other one (hexadecimal, a1 the lowest bit), whose turn
// it is (0 or 1), the depth. Prints the value for the player to move, the nodes, the seconds and the best line of each.

#include <atomic>
#include <chrono>
#include <cinttypes>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <limits>

#include "othello_rules.hpp"

namespace {

constexpr double SUM = 0.0;
constexpr double FULL = 193.0;  // a full window, whatever the evaluation says
constexpr double INFINITE = std::numeric_limits<double>::infinity();
constexpr std::int64_t NO_LIMIT = std::int64_t{1} << 62;
constexpr Squares CORNERS = 0x8100000000000081, EDGES = 0xFF818181818181FF;

struct Workspace {
    std::int64_t nodes;
    std::atomic<std::int64_t> limit;  // another thread may set it to zero to stop the search; read relaxed it is an ordinary load
    std::int64_t horizons;
    State states[MAX_PLIES + 1];
    std::int32_t lists[MAX_PLIES + 1][MAX_MOVES];
    std::int32_t line[MAX_PLIES + 1][MAX_PLIES + 1];  // line[p][p..line_end[p]]: best play from ply p
    std::int64_t line_end[MAX_PLIES + 2];
};

// --- what only a search asks of the rules ---

inline double utility(const State& s, int player) {
    const int first = __builtin_popcountll(s.mine), second = __builtin_popcountll(s.theirs);
    const int difference = first > second ? 64 - 2 * second : second > first ? 2 * first - 64 : 0;
    return player == 0 ? difference : -difference;
}

inline Squares anchored(Squares discs) {
    Squares held = discs & CORNERS;
    if (held == 0) return held;
    for (int i = 0; i < 6; i++) {
        const Squares sideways = ((held << 1) & NOT_FIRST_COLUMN) | ((held >> 1) & NOT_LAST_COLUMN);
        held |= discs & EDGES & (sideways | (held << 8) | (held >> 8));
    }
    return held;
}

inline double evaluate(const State& s, int player) {
    const int mobility = __builtin_popcountll(s.open) - __builtin_popcountll(placements(s.theirs, s.mine));
    const int corners = __builtin_popcountll(s.mine & CORNERS) - __builtin_popcountll(s.theirs & CORNERS);
    const int safe = __builtin_popcountll(anchored(s.mine)) - __builtin_popcountll(anchored(s.theirs));
    const double x = 2.0 * mobility + 8.0 * corners + 4.0 * safe;
    const double value = 64.0 * x / (64.0 + std::fabs(x));
    return player == s.turn ? value : -value;
}

// --- the search ---

inline int step(Workspace& w, int ply, int move) {
    w.states[ply + 1] = w.states[ply];
    play(w.states[ply + 1], move);
    w.nodes++;
    return w.states[ply + 1].turn;
}

inline double leaf(Workspace& w, int ply, int following, int mover) {
    w.line_end[ply] = ply;
    if (following == OVER) return utility(w.states[ply], mover);
    w.horizons++;
    return evaluate(w.states[ply], mover);
}

inline void extend_line(Workspace& w, int ply, int move) {
    w.line[ply][ply] = move;
    const std::int64_t end = w.line_end[ply + 1];
    for (std::int64_t i = ply + 1; i < end; i++) w.line[ply][i] = w.line[ply + 1][i];
    w.line_end[ply] = end > ply + 1 ? end : ply + 1;
}

double value(Workspace& w, int ply, int depth, double alpha, double beta, int mover) {
    const State& s = w.states[ply];
    w.line_end[ply] = ply;
    double best = -INFINITE;
    const int n = moves(s, w.lists[ply]);
    for (int i = 0; i < n; i++) {
        const int following = step(w, ply, w.lists[ply][i]);
        const double floor = alpha > best ? alpha : best;
        double v;
        if (following < 0 || depth == 1) {
            v = leaf(w, ply + 1, following, mover);
        } else if (following == mover) {
            v = value(w, ply + 1, depth - 1, floor, beta, following);
        } else {
            v = SUM - value(w, ply + 1, depth - 1, SUM - beta, SUM - floor, following);
        }
        if (w.nodes >= w.limit.load(std::memory_order_relaxed)) return best;
        if (v > best) {
            best = v;
            if (v > alpha) extend_line(w, ply, w.lists[ply][i]);
            if (v >= beta) break;
        }
    }
    return best;
}

Workspace w;

}  // namespace

int main() {
    Squares mine, theirs;
    int turn, depth;
    while (std::scanf("%" SCNx64 " %" SCNx64 " %d %d", &mine, &theirs, &turn, &depth) == 4) {
        settle(w.states[0], mine, theirs, turn);
        w.limit = NO_LIMIT;
        w.horizons = 0;
        const auto began = std::chrono::steady_clock::now();
        w.nodes = 1;
        const double found = value(w, 0, depth, -FULL, FULL, w.states[0].turn);
        const std::chrono::duration<double> took = std::chrono::steady_clock::now() - began;
        std::printf("%.17g %" PRId64 " %.9f", found, w.nodes, took.count());
        for (std::int64_t i = 0; i < w.line_end[0]; i++) std::printf(" %d", w.line[0][i]);
        std::printf("\n");
    }
}
