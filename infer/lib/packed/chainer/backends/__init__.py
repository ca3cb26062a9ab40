# The backends: only the CPU is there.
