"""`crossroom picture`: the last board of a recorded game as a PNG file."""

import argparse
from pathlib import Path


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the flags."""
    parser.add_argument("file", metavar="FILE", help="game in GCG, or in JSON from /export json")
    parser.add_argument("picture", metavar="OUT.png", help="PNG file to write")


def run(args: argparse.Namespace) -> int:
    """Draw the board as the record leaves it, with the scores that it gives. Return 0.

    Raises:
        BadText: the file is no record.
        OSError: it cannot be read, or the picture cannot be written.
    """
    # These take long to load.
    from crossroom_engine.records.gcg_read import decode_gcg
    from crossroom_engine.records.replay import ReplayCheck
    from crossroom_protocol.encoding.game_json import read_record
    from crossroom_protocol.events.results import PlayerResult
    from crossroom_server.web.board_image import board_png

    record = read_record(decode_gcg(Path(args.file).read_bytes()))
    replay = ReplayCheck(record)
    for entry in record.entries:
        replay.follow_entry(entry)
    now = replay.state
    players = [
        PlayerResult(player.name or player.nick, score)
        for player, score in zip(record.players, now.recorded, strict=True)
    ]
    Path(args.picture).write_bytes(board_png(record.rules, now.board, players))
    return 0
