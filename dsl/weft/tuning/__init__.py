# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Choosing by measurement where the cost model can only estimate.

space.py      what could be chosen for a kernel, the model's choice first
search.py     which of it is measured next, and when that ends
timing.py     code in turns on this machine, the least time of each
journal.py    every trial is kept
trials.py     schedules of one kernel, compiled and timed
tuner.py      all of it together: a kernel in, the text of a schedule out
samples.py    transforms that say what stages cost
fitting.py    least squares with lower bounds
calibration.py  a machine's table fitted on this CPU
"""
