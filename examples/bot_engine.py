"""An engine, as it could be in any language: `azulejos match "process:python bot_engine.py" random --games 20`."""

import re
import sys


def tiles(text):
    """The colors in a text with their counts: "B2YK" has 2 blue, 1 yellow, 1 black."""
    return {color: int(count or 1) for color, count in re.findall(r"([BYRKW])(\d*)", text)}


def legal_moves(position):
    """Every legal move with its worth: 2 for a complete line, less what is dropped or left open."""
    _, displays, center, *boards, _, turn, _ = position.split(" ")
    lines, rows = (part.split("/") for part in boards[int(turn[1]) - 1].split(":")[1:3])
    rows = [re.sub(r"\d", lambda run: "." * int(run[0]), row) for row in rows]  # "1Y3" is ".Y..."
    if turn[0] == "t":  # on the gray wall: a column for the tile of the first complete line
        row = next(at for at, line in enumerate(lines) if sum(tiles(line).values()) > at)
        free = [at for at in range(5) if rows[row][at] == "." and lines[row][0] not in [each[at] for each in rows]]
        return {f"t{row + 1}{at + 1}": 0 for at in free}
    moves = {}
    for source, there in zip("c123456789", [center, *displays.split("/")], strict=False):
        for color, count in tiles(there).items():
            moves[f"{source}{color}f"] = -2 * count
            for at, line in enumerate(lines):
                room = at + 1 - sum(tiles(line).values())
                if room and line[0] in ("-", color) and color not in rows[at]:
                    moves[f"{source}{color}{at + 1}"] = 2 * (count >= room) - abs(room - count)
    return moves


ANSWERS = {"azi": "id name My engine 1\naziok", "isready": "readyok"}
for words in map(str.split, sys.stdin):
    if words[0] == "position":
        found = legal_moves(" ".join(words[2:]))  # behind "position pos" stands the position
        ANSWERS["go"] = f"bestmove {max(found, key=found.get)}"
    if words[0] in ANSWERS:
        print(ANSWERS[words[0]], flush=True)
    if words[0] == "quit":
        break
