"""Pictures as frames, and the windows that carry a change."""

import itertools

import luma.oled.device
import pytest
import wire_bus
import wire_chips
from examples import example_count
from hypothesis import given, settings
from hypothesis import strategies as st
from luma.core.interface import serial
from PIL import Image

from hardware import frames, panel_link

BYTE = st.integers(0, 255)

STRIP_OVERHEAD = 2 + 3 + 2
"""The bytes on an I2C wire beside a strip's data: the command, address and control byte of both messages."""


@st.composite
def changed_frames(draw):
    """A frame and another that differs in some rectangles of bytes."""
    old = bytes([draw(BYTE)]) * 1024
    new = bytearray(old)
    for _ in range(draw(st.integers(0, 8))):
        left, page = draw(st.integers(0, 127)), draw(st.integers(0, 7))
        width, height = draw(st.integers(1, 128 - left)), draw(st.integers(1, 8 - page))
        value = draw(BYTE)
        for row in range(page, page + height):
            new[row * 128 + left : row * 128 + left + width] = bytes([value]) * width
    return old, bytes(new)


def frame_after(old, new, parts):
    """The frame `old` after the windows of `new` have been sent."""
    result = bytearray(old)
    for part in parts:
        data = part.crop(new)
        width = part.right - part.left
        for row, page in enumerate(range(part.top, part.bottom)):
            result[page * 128 + part.left : page * 128 + part.right] = data[row * width : (row + 1) * width]
    return bytes(result)


def test_packing_agrees_with_luma(a_picture, make_bus):
    """A frame has the bytes that luma's own display() puts into the chip."""
    from luma.core.interface.serial import i2c

    bus = make_bus("ssd1306")
    device = luma.oled.device.ssd1306(i2c(bus=bus))
    for seed in range(20):
        image = a_picture(seed)
        device.display(image)
        assert frames.pack_frame(image) == bus.chip.visible_frame()


def test_unpacking_gives_the_picture_back(a_picture):
    """`unpack_frame` is the inverse of `pack_frame`."""
    for seed in range(20):
        image = a_picture(seed)
        assert frames.unpack_frame(frames.pack_frame(image)).tobytes() == image.tobytes()


@pytest.mark.parametrize("shift", [-1, 0, 1])
@pytest.mark.parametrize("upside_down", [False, True])
def test_a_shift_moves_every_pixel(a_picture, shift, upside_down):
    """A shifted frame is the shifted picture, also on a panel mounted upside down."""
    image = a_picture(5)
    moved = Image.new("1", image.size)
    moved.paste(image, (shift, 0))
    if upside_down:
        moved = moved.transpose(Image.Transpose.ROTATE_180)
    assert frames.pack_frame(image, shift, upside_down) == frames.pack_frame(moved)


@pytest.mark.parametrize(("mode", "size"), [("L", (128, 64)), ("1", (128, 32)), ("RGB", (64, 128))])
def test_only_one_bit_128_by_64_is_a_picture(mode, size):
    """Anything but a one-bit image of 128×64 pixels is refused."""
    with pytest.raises(ValueError, match="one-bit 128×64"):
        frames.pack_frame(Image.new(mode, size))


@given(changed_frames())
def test_windows_carry_the_whole_change(change):
    """The windows and strips turn the old frame into the new one, and are never dearer than a whole frame."""
    old, new = change
    for parts, overhead, whole in (
        (frames.changed_windows(old, new), frames.WINDOW_OVERHEAD_BYTES, 1034),
        (frames.changed_strips(old, new), STRIP_OVERHEAD, 1080),
    ):
        assert frame_after(old, new, parts) == new
        cost = sum(overhead + len(part.crop(new)) for part in parts)
        assert cost <= whole
        changed = sum(a != b for a, b in zip(old, new, strict=True))
        assert (cost == 0) == (changed == 0)


@given(st.binary(min_size=1024, max_size=1024), st.binary(min_size=1024, max_size=1024))
def test_noise_costs_at_most_a_frame(old, new):
    """Whatever the frames are, the windows are never dearer than luma's whole frame (1,034 bytes, SH1106 1,080)."""
    windows, strips = frames.changed_windows(old, new), frames.changed_strips(old, new)
    assert frame_after(old, new, windows) == frame_after(old, new, strips) == new
    assert sum(window.cost for window in windows) <= 1034
    assert sum(STRIP_OVERHEAD + len(strip.crop(new)) for strip in strips) <= 1080


@pytest.mark.parametrize(
    ("boxes", "bytes_sent"),
    [
        ([(40, 0, 45, 8)], 15),  # a digit
        ([(1, 16, 5, 24), (1, 48, 5, 56)], 28),  # a cursor that moved four lines down: two windows
        ([(1, 16, 110, 24)], 119),  # a line of text
        ([(0, 0, 128, 16)], 266),  # an inverse bar of two pages
    ],
)
def test_small_changes_are_cheap(boxes, bytes_sent):
    """A change costs its bytes and ten for each window."""
    new = Image.new("1", (128, 64))
    for box in boxes:
        new.paste(1, box)
    assert (
        sum(window.cost for window in frames.changed_windows(frames.BLANK_FRAME, frames.pack_frame(new))) == bytes_sent
    )


@st.composite
def evenings(draw):
    """A sequence of frames, each with some rectangles of bytes changed, whose edges often meet."""
    found, frame = [], bytearray(frames.BLANK_FRAME)
    edges = draw(st.lists(st.tuples(st.integers(0, 126), st.integers(0, 7)), min_size=2, max_size=6))
    for _ in range(draw(st.integers(1, 8))):
        for _ in range(draw(st.integers(0, 5))):
            (left, top), (right, bottom) = draw(st.sampled_from(edges)), draw(st.sampled_from(edges))
            for page in range(min(top, bottom), max(top, bottom) + 1):
                columns = slice(page * 128 + min(left, right), page * 128 + max(left, right) + 1)
                frame[columns] = bytes(byte + 1 & 0xFF for byte in frame[columns])
        found.append(bytes(frame))
    return found


@pytest.mark.parametrize("driver", [*panel_link.WINDOWED_DRIVERS, *panel_link.PAGED_DRIVERS])
@settings(max_examples=example_count(25))
@given(shown=evenings())
def test_the_chip_has_every_frame(driver, shown):
    """Whatever the changes, the chip's memory has each frame, and the frame's bytes are sent once."""
    bus = wire_bus.Bus(wire_chips.CHIPS["ssd1306" if driver in panel_link.WINDOWED_DRIVERS else "sh1106"]())
    panel = panel_link.PanelLink(driver, lambda: serial.i2c(bus=bus), refresh_seconds=float("inf"))
    first = bus.chip.first_column
    for frame in shown:
        panel.show_state(panel_link.PanelState(frame, 1, True))
        assert b"".join(page[first : first + 128] for page in bus.chip.memory) == frame
        assert sum(len(message) - 1 for message in bus.log if message[0] == 0x40) <= 1024
        bus.reset_counts()


@settings(max_examples=example_count(40))
@given(evenings())
def test_what_is_sent_of_bounds(shown):
    """A window needs at most both bounds; the first window, and any after a lost cursor, needs both."""
    for old, new in itertools.pairwise(shown):
        found = frames.changed_windows(old, new)
        steps = list(frames.order_windows(found, frames.UNKNOWN_CURSOR))
        assert sorted(step.window for step in steps) == sorted(found)
        if steps:
            assert steps[0].columns
            assert steps[0].pages
        repeated = list(frames.order_windows([steps[-1].window], steps[-1].cursor)) if steps else []
        assert all(step.columns is None for step in repeated)


def test_the_next_pages_need_no_command():
    """For a window right below, only the columns are sent: the chip goes on with the next page by itself."""
    found = [frames.Window(5, 9, 0, 2), frames.Window(50, 60, 2, 3), frames.Window(1, 7, 3, 8)]
    steps = list(frames.order_windows(found, frames.UNKNOWN_CURSOR))
    assert [(step.columns, step.pages) for step in steps] == [((5, 9), (0, 8)), ((50, 60), None), ((1, 7), None)]
    # After the last page the chip is on the first of its pages again.
    again = frames.Window(1, 7, 0, 1)
    assert [(step.columns, step.pages) for step in frames.order_windows([again], steps[-1].cursor)] == [(None, None)]


def test_what_needs_the_fewest_bounds_comes_first():
    """Windows with the pages or the columns that the chip has come first, the others from the top down."""
    found = [frames.Window(*window) for window in ((1, 5, 0, 1), (60, 65, 7, 8), (120, 125, 0, 1), (1, 5, 7, 8))]
    places = [
        [(step.window.left, step.window.top) for step in frames.order_windows(found, cursor)]
        for cursor in (
            frames.UNKNOWN_CURSOR,
            frames.Cursor(30, 40, 0, 1, 0),
            frames.Cursor(30, 40, 7, 8, 7),
            frames.Cursor(120, 125, 3, 4, 3),
        )
    ]
    assert places == [
        [(1, 0), (120, 0), (1, 7), (60, 7)],
        [(1, 0), (120, 0), (1, 7), (60, 7)],
        [(1, 7), (1, 0), (120, 0), (60, 7)],
        [(120, 0), (1, 0), (1, 7), (60, 7)],
    ]


def test_what_is_upright_goes_in_upright_windows():
    """Two upright rectangles side by side, not on the same pages, take two windows, though they share a page."""
    new = Image.new("1", (128, 64))
    for box in ((10, 24, 29, 48), (29, 40, 49, 56)):
        new.paste(1, box)
    assert frames.changed_windows(frames.BLANK_FRAME, frames.pack_frame(new)) == [
        frames.Window(10, 29, 3, 6),
        frames.Window(29, 49, 5, 7),
    ]
