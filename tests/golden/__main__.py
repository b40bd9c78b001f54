"""`python -m tests.golden --write [NAME...]` writes transcripts, as Python sees them.

Look at the difference before it is committed: what a transcript holds is what every
surface is held to. Without --write, prints the transcripts.
"""

from __future__ import annotations

import argparse
import logging
import sys

from .files import read_scenario, scenario_names, write_transcript
from .readable import dump
from .runner import has_scene, run, unexpected, uses_weights
from .surfaces import SURFACES, WITHOUT_SCENES


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.golden")
    parser.add_argument("names", nargs="*", metavar="NAME", help="default: all")
    parser.add_argument("--write", action="store_true", help="write the files")
    parser.add_argument("--surface", choices=sorted(SURFACES), default="python")
    parser.add_argument("--weights", metavar="FILE", help="SmolLM2; prints only")
    options = parser.parse_args()
    logging.disable()  # scenarios fail on purpose
    surface = SURFACES[options.surface]()
    problems = 0
    for name in options.names or scenario_names():
        scenario = read_scenario(name)
        if uses_weights(scenario) and (options.write or not options.weights):
            continue  # its texts are those of one machine
        if has_scene(scenario) and options.surface in WITHOUT_SCENES:
            continue
        transcript = run(scenario, surface, options.weights)
        for problem in unexpected(scenario, transcript):
            sys.stderr.write(f"{name}: {problem}\n")
            problems += 1
        if options.write:
            write_transcript(name, transcript)
        else:
            sys.stdout.write(dump(transcript))
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
