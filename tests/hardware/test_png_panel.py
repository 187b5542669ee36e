"""The panel that is a file."""

import os
import stat

import pytest
from PIL import Image

from companion.config import Config, ConfigError, DisplaySettings
from companion.inputs import DeviceMissing, DeviceReturned
from hardware.device_classes import PngPanel
from hardware.devices import make_devices


def test_the_file_is_the_picture(tmp_path, inbox, a_picture):
    """The file is a one-bit PNG of 128×64 whose lit pixels are white."""
    file = tmp_path / "panel.png"
    panel = PngPanel(inbox.put, file)
    panel.start()
    for seed in range(5):
        panel.show(a_picture(seed))
        with Image.open(file) as image:
            assert (image.format, image.mode, image.size) == ("PNG", "1", (128, 64))
            assert image.tobytes() == a_picture(seed).tobytes()
    assert os.listdir(tmp_path) == ["panel.png"]
    panel.close(a_picture(7))
    with Image.open(file) as image:
        assert image.tobytes() == a_picture(7).tobytes()
    assert inbox.empty()


def test_the_file_is_replaced_whole(tmp_path, inbox, a_picture):
    """Whoever has the old picture open keeps it whole; an unchanged picture is not written again."""
    file = tmp_path / "panel.png"
    panel = PngPanel(inbox.put, file)
    panel.show(a_picture(1))
    first = file.stat().st_ino
    with file.open("rb") as old:
        panel.show(a_picture(1))
        assert file.stat().st_ino == first
        panel.show(a_picture(2))
        assert file.stat().st_ino != first
        with Image.open(old) as image:
            assert image.tobytes() == a_picture(1).tobytes()


def test_a_place_that_cannot_be_written(tmp_path, inbox, a_picture):
    """A missing folder is reported once, and its return once; then the file has the newest picture."""
    folder = tmp_path / "later"
    panel = PngPanel(inbox.put, folder / "panel.png")
    panel.show(a_picture(1))
    panel.show(a_picture(2))
    lost = inbox.take()
    assert isinstance(lost, DeviceMissing)
    assert "No such file" in lost.reason
    assert not panel.wait_until_shown()
    folder.mkdir()
    panel.show(a_picture(2))
    assert isinstance(inbox.take(), DeviceReturned)
    assert inbox.empty()
    with Image.open(folder / "panel.png") as image:
        assert image.tobytes() == a_picture(2).tobytes()


def test_a_device_is_not_replaced_by_a_picture(tmp_path, inbox, a_picture):
    """A path that names a device or a folder is refused at the start, and reported if it becomes one later."""
    path = tmp_path / "fb0"
    os.mkfifo(path)  # As good as a device, and made by everybody.
    config = Config(display=DisplaySettings(driver="png", path=path))
    with pytest.raises(ConfigError, match=r"display\.path names .*fb0: it is a folder or a device"):
        make_devices(config, inbox.put)
    PngPanel(inbox.put, path).show(a_picture(1))
    assert "it is a folder or a device" in inbox.take().reason
    assert stat.S_ISFIFO(path.stat().st_mode)


def test_a_link_beside_the_picture_is_not_followed(tmp_path, inbox, a_picture):
    """In a folder where others write too, the file is made anew, and never through what they have put there."""
    (tmp_path / "other").write_text("something else")
    (tmp_path / f".panel.png.{os.getpid()}").symlink_to(tmp_path / "other")
    panel = PngPanel(inbox.put, tmp_path / "panel.png")
    panel.show(a_picture(1))
    assert panel.wait_until_shown()
    assert (tmp_path / "other").read_text() == "something else"
