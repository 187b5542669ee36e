"""The table while it is open: the loop, the queue of inputs, the watch over threads, the service manager."""
