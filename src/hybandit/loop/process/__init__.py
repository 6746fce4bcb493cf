"""What a loop has to do with its process: forks, signals, and the thread of all loops."""
