"""Numba functions over plain arrays, and nothing else.

Every kernel is a pure function of its arguments, or fills arrays it was handed.
Compiled code is cached on disk, releases the GIL, and may reorder sums (so results
agree with NumPy to rounding) but keeps infinities and NaN as IEEE 754 has them.
"""
