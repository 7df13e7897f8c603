// Othello perft: the same algorithm as kibitz/games/othello.py under kibitz/core/measuring/perft.py, function for function, as C++ would have it.
// Prints the number of paths and the seconds it took, once per repetition: othello_perft DEPTH REPETITIONS

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include "othello_rules.hpp"

namespace {

constexpr int LOOK_DEPTH = 3;

struct Workspace {
    std::int64_t nodes;
    volatile std::int64_t limit;  // nobody sets it to zero here to stop the count, but looking at it is part of the work
    State states[MAX_PLIES + 1];
    std::int32_t lists[MAX_PLIES + 1][MAX_MOVES];
};

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
