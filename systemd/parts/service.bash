# What belongs to the service beside its program and unit: users and groups, settings, the member who installed it.

put_file() {
    install -D -m 644 "$1" "$2.new"
    sync "$2.new"
    mv -T "$2.new" "$2"
}

make_users() {
    put_file "$source/systemd/sysusers.d/companion.conf" /etc/sysusers.d/companion.conf
    put_file "$source/systemd/tmpfiles.d/companion.conf" /etc/tmpfiles.d/companion.conf
    systemd-sysusers /etc/sysusers.d/companion.conf
    systemd-tmpfiles --create /etc/tmpfiles.d/companion.conf
}

make_settings() {
    if [[ ! -e $CONFIG ]]; then
        put_file "$source/systemd/config.toml" "$CONFIG"
        say "the settings are in $CONFIG: change them there if your wiring differs from the breadboard wiring"
    fi
}

add_member() {
    if [[ -n $user && " $(id -nG "$user") " != *" companion "* ]]; then
        usermod -aG companion "$user"
        say "$user is now in the group companion; after the next login, $user can use \`companion export\`"
    fi
}

look_around() {
    local found panel bus port
    # The panel's kind, the bus it is on, and the keypad's port.
    found=$("$HOME_OF_IT/current/bin/python" -I -c '
from companion.config import load_config
from hardware.boards import resolve_wiring
config = load_config("/etc/companion/config.toml")
found = resolve_wiring(config)
panel = found.interface if found.driver not in ("png", "none") else "none"
print(panel, found.bus, config.keypad.port or "-", sep="\t")' 2>/dev/null) || {
        warn "$CONFIG cannot be used; journalctl -u companion shows why"
        return
    }
    IFS=$'\t' read -r panel bus port <<<"$found"
    if [[ $panel == i2c && ! -e /dev/i2c-$bus ]]; then
        warn "I2C is off, so the panel stays dark. Run: sudo raspi-config nonint do_i2c 0, then restart the Pi"
    elif [[ $panel == spi && ! -e /dev/spidev$bus.0 ]]; then
        warn "SPI is off, so the panel stays dark. Run: sudo raspi-config nonint do_spi 0, then restart the Pi"
    fi
    [[ $port == - || -e $port ]] || warn "there is no keypad at $port; the table uses it as soon as it is connected"
    compgen -G '/dev/gpiochip*' >/dev/null || warn "this computer has no GPIO pins, so buttons and lamps will not work"
}
