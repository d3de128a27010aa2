// A straightforward C++ loop over random 2-player games on the colored wall, to compare speeds with.
//
// Nothing in Azulejos uses it: it is written the way one writes such a loop first (list the legal moves, pick one,
// apply it) and exists so that "1.5 times as fast as plain C++" is a claim anybody can check. It also prints the means
// of score, rounds and moves, which agree with `azulejos simulate`: two independent programs, one game.
//
//     g++ -O3 -march=native -o baseline benchmarks/baseline.cpp && ./baseline 200000
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <vector>

struct Move { int source, color, line; };

struct Board {
    int score = 0;
    int count[5] = {}, color[5] = {};
    bool wall[5][5] = {};
    std::vector<int> floor;
    bool marker = false;
};

struct Table {
    int displays[6][5] = {};  // 0 is the center
    bool marker_in_center = true;
    std::vector<int> bag, lid;
    Board boards[2];
    int seat = 0, rounds = 0;
};

static const int PENALTY[8] = {0, 1, 2, 4, 6, 8, 11, 14};
static std::mt19937_64 rng(1);

static int below(int n) { return int(rng() % n); }

static void deal(Table& t) {
    t.rounds++;
    t.marker_in_center = true;
    for (int d = 1; d <= 5; d++)
        for (int i = 0; i < 4; i++) {
            if (t.bag.empty()) std::swap(t.bag, t.lid);
            if (t.bag.empty()) return;
            int at = below(int(t.bag.size()));
            t.displays[d][t.bag[at]]++;
            t.bag[at] = t.bag.back();
            t.bag.pop_back();
        }
}

static void list_moves(const Table& t, std::vector<Move>& moves) {
    moves.clear();
    const Board& b = t.boards[t.seat];
    for (int source = 0; source < 6; source++)
        for (int color = 0; color < 5; color++) {
            if (!t.displays[source][color]) continue;
            for (int line = 0; line < 5; line++) {
                if (b.count[line] == line + 1) continue;
                if (b.count[line] && b.color[line] != color) continue;
                if (b.wall[line][(color + line) % 5]) continue;
                moves.push_back({source, color, line});
            }
            moves.push_back({source, color, 5});
        }
}

static void play(Table& t, const Move& m) {
    Board& b = t.boards[t.seat];
    int tiles = t.displays[m.source][m.color];
    t.displays[m.source][m.color] = 0;
    if (m.source == 0) {
        if (t.marker_in_center) { t.marker_in_center = false; b.marker = true; }
    } else {
        for (int color = 0; color < 5; color++) {
            t.displays[0][color] += t.displays[m.source][color];
            t.displays[m.source][color] = 0;
        }
    }
    if (m.line < 5) {
        int placed = std::min(tiles, m.line + 1 - b.count[m.line]);
        b.count[m.line] += placed;
        b.color[m.line] = m.color;
        tiles -= placed;
    }
    while (tiles--) {
        if (int(b.floor.size()) + b.marker < 7) b.floor.push_back(m.color);
        else t.lid.push_back(m.color);
    }
    t.seat = 1 - t.seat;
}

static bool offer_is_over(const Table& t) {
    for (auto& display : t.displays)
        for (int count : display)
            if (count) return false;
    return true;
}

static int points(const Board& b, int row, int column) {
    int h = 1, v = 1;
    for (int c = column - 1; c >= 0 && b.wall[row][c]; c--) h++;
    for (int c = column + 1; c < 5 && b.wall[row][c]; c++) h++;
    for (int r = row - 1; r >= 0 && b.wall[r][column]; r--) v++;
    for (int r = row + 1; r < 5 && b.wall[r][column]; r++) v++;
    if (h == 1 && v == 1) return 1;
    return (h > 1 ? h : 0) + (v > 1 ? v : 0);
}

static bool finish_round(Table& t) {
    bool over = false;
    int starter = -1;
    for (int seat = 0; seat < 2; seat++) {
        Board& b = t.boards[seat];
        for (int row = 0; row < 5; row++) {
            if (b.count[row] <= row) continue;
            int column = (b.color[row] + row) % 5;
            b.wall[row][column] = true;
            b.score += points(b, row, column);
            for (int i = 0; i < row; i++) t.lid.push_back(b.color[row]);
            b.count[row] = 0;
            over |= std::all_of(b.wall[row], b.wall[row] + 5, [](bool full) { return full; });
        }
        b.score = std::max(0, b.score - PENALTY[std::min(7, int(b.floor.size()) + b.marker)]);
        for (int color : b.floor) t.lid.push_back(color);
        b.floor.clear();
        if (b.marker) starter = seat;
        b.marker = false;
    }
    if (starter >= 0) t.seat = starter;
    return over || t.rounds >= 50;
}

static void add_bonuses(Board& b) {
    for (int i = 0; i < 5; i++) {
        int row = 0, column = 0, color = 0;
        for (int j = 0; j < 5; j++) {
            row += b.wall[i][j];
            column += b.wall[j][i];
            color += b.wall[j][(i + j) % 5];
        }
        b.score += 2 * (row == 5) + 7 * (column == 5) + 10 * (color == 5);
    }
}

int main(int argc, char** argv) {
    int games = argc > 1 ? std::atoi(argv[1]) : 200000;
    long moves = 0, rounds = 0, score = 0;
    std::vector<Move> legal;
    auto started = std::chrono::steady_clock::now();
    for (int game = 0; game < games; game++) {
        Table t;
        for (int color = 0; color < 5; color++) t.bag.insert(t.bag.end(), 20, color);
        t.seat = below(2);
        do {
            int starter = t.seat;
            deal(t);
            while (!offer_is_over(t)) {
                list_moves(t, legal);
                play(t, legal[below(int(legal.size()))]);
                moves++;
            }
            t.seat = starter;
        } while (!finish_round(t));
        for (Board& b : t.boards) {
            add_bonuses(b);
            score += b.score;
        }
        rounds += t.rounds;
    }
    double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count();
    std::printf("plain C++: %.0f moves/s; means of %d games: score %.3f, rounds %.3f, moves %.3f\n", moves / seconds, games,
                score / (2.0 * games), double(rounds) / games, double(moves) / games);
}
