"""The pictures on the 128×64 one-bit panel: from plain data to an image, without devices and without a clock."""
