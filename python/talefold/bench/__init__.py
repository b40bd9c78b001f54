"""The benchmarks of `talefold bench`: one module each, and what they share.

Every benchmark is a function that runs it and returns a `Report`. What is compared is
measured in the same run; absolute figures are shown, bars are for ratios and counts.
"""

from __future__ import annotations
