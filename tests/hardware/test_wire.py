"""The models of the chips are as strict as the chips: after a wrong set-up, the picture is not visible."""

import pytest
import wire_chips
from luma.core.interface.serial import i2c
from luma.oled import device


@pytest.fixture(params=["ssd1306", "sh1106"])
def shown(request, make_bus, a_picture):
    """A chip on which luma's own driver shows a picture, and the frame that is visible then."""
    bus = make_bus(request.param)
    getattr(device, request.param)(i2c(bus=bus)).display(a_picture(1))
    return bus.chip, bus.chip.visible_frame()


def test_luma_is_seen(shown, a_picture):
    """Luma's driver shows what it was given: pixel (x, y) is bit y mod 8 of byte x of page y div 8."""
    _, frame = shown
    image = a_picture(1)
    for x in range(128):
        for y in range(64):
            assert bool(frame[y // 8 * 128 + x] >> y % 8 & 1) == bool(image.getpixel((x, y)))


@pytest.mark.parametrize(
    "command",
    [[0xA7], [0xA5], [0xAE], [0xA0], [0xC0], [0xD3, 1], [0x41], [0xA8, 0x1F]],
    ids=lambda bytes_: bytes(bytes_).hex(),
)
def test_what_is_set_wrongly_is_not_seen(shown, command):
    """Inverted, all lit, off, mirrored, upside down, shifted, or with fewer rows, the picture is another one."""
    chip, frame = shown
    chip.take_message(bytes([0x00, *command]))
    assert chip.visible_frame() != frame


def test_power_takes_everything(shown):
    """After a loss of power the panel is dark and has to be set up again."""
    chip, frame = shown
    chip.power_cycle()
    assert chip.visible_frame() == wire_chips.DARK
    chip.take_message(bytes([0x00, 0xAF]))
    assert chip.visible_frame() != frame


def test_control_bytes():
    """A control byte with the continuation bit is for one byte, without it for all that follow."""
    chip = wire_chips.Ssd1306()
    chip.take_message(bytes([0x80, 0x81, 0x80, 0x12, 0x00, 0xAF, 0xA7]))
    assert (chip.contrast, chip.on, chip.inverted) == (0x12, True, True)
    with pytest.raises(AssertionError, match="no control byte"):
        chip.take_message(bytes([0x41, 0x00]))


def test_arguments_may_come_later():
    """A command's arguments may come in the next message."""
    chip = wire_chips.Ssd1306()
    chip.take_message(bytes([0x00, 0x21, 5]))
    chip.take_message(bytes([0x00, 9, 0x22, 2, 3, 0x20, 0x00]))
    chip.take_message(bytes([0x40, *range(1, 11)]))
    assert chip.memory[2][5:10] + chip.memory[3][5:10] == bytes(range(1, 11))


def test_vertical_addressing():
    """In vertical addressing the pages of a window are filled before its columns."""
    chip = wire_chips.Ssd1306()
    chip.take_message(bytes([0x00, 0x20, 0x01, 0x21, 7, 8, 0x22, 0, 1]))
    chip.take_message(bytes([0x40, 1, 2, 3, 4]))
    assert [chip.memory[0][7], chip.memory[1][7], chip.memory[0][8], chip.memory[1][8]] == [1, 2, 3, 4]


def test_the_sh1106_knows_no_windows():
    """The SH1106 takes a window for other commands, and does not continue with the next page."""
    chip = wire_chips.Sh1106()
    chip.memory = [bytearray(132) for _ in range(8)]
    chip.take_message(bytes([0x00, 0xB0, 0x0F, 0x17]))
    chip.take_message(bytes([0x40, *[0xFF] * 40]))
    assert [sum(map(bool, page)) for page in chip.memory] == [132 - 0x7F, 0, 0, 0, 0, 0, 0, 0]
