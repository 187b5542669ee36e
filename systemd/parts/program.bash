# Building a version: an environment of its own below /opt/companion, with the program and these scripts in it.
# Everything comes as a wheel whose hash stands in systemd/lock; building the program itself fetches nothing.

# A copy, so that building leaves nothing in the checkout, least of all files of root's.
copy_source() {
    work=$(mktemp -d "$HOME_OF_IT/.build.XXXXXX")
    (cd "$source" && cp -r companion hardware systemd pyproject.toml README.md LICENSE "$work/") ||
        fail "the program could not be copied to $work; is the disk full?"
}

new_environment() {
    local number=1
    while [[ -e $HOME_OF_IT/env-$number ]]; do number=$((number + 1)); done
    fresh=$HOME_OF_IT/env-$number
    "$PYTHON" -m venv "$fresh" || fail "the environment in $fresh could not be created; is the disk full?"
}

pip() {
    # The temporary files of pip belong on the disk that was checked for room, not in a /tmp in memory.
    TMPDIR=$work PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_ROOT_USER_ACTION=ignore \
        "$fresh/bin/python" -m pip --quiet --no-cache-dir --no-input "$@"
}

pip_locked() {
    pip install --only-binary :all: --require-hashes --requirement "$work/systemd/lock/$1.txt"
}

uses_spi() {
    [[ -e $CONFIG ]] || return 1
    (cd "$work" && "$PYTHON" -B -c '
from companion.config import load_config
from hardware.boards import resolve_wiring
import sys
found = resolve_wiring(load_config(sys.argv[1]))
sys.exit(found.interface != "spi" or found.driver in ("png", "none"))' "$CONFIG" 2>/dev/null)
}

# The pin library comes as a wheel where there is one for this Python, else from Debian; so does that of SPI.
libraries_of_debian() {
    local wanted=() package
    pip_locked pins 2>/dev/null || wanted+=(python3-lgpio)
    ! uses_spi || wanted+=(python3-spidev)
    for package in "${wanted[@]}"; do
        if apt_install "$package"; then
            debian=yes
        elif [[ $package == python3-lgpio ]]; then
            warn "neither PyPI nor Debian has lgpio for this system: buttons and lamps will not work, but everything else will"
        else
            warn "$package could not be installed: the panel on SPI will not work"
        fi
    done
}

# PyPI has no wheels of some packages for a 32-bit Pi. Those of its own index (piwheels) are built there, and built anew
# now and then: their hashes cannot be known here.
wheels_without_hash() {
    local lock=$work/systemd/lock/$1.txt packages
    [[ $(dpkg --print-architecture 2>/dev/null) == armhf ]] || return 0
    mapfile -t packages < <(awk '/^# No wheel:.*armv7l/ { getline; print $1 }' "$lock")
    ((${#packages[@]})) || return 0
    say "this is a 32-bit system: these versions are installed without checking their hashes: ${packages[*]}"
    pip install --only-binary :all: --no-deps "${packages[@]}"
}

build() {
    say "installing the program into $HOME_OF_IT"
    debian=""
    new_environment
    [[ -z $with_table ]] || libraries_of_debian
    # Only where something must come from Debian does the program see Debian's Python packages.
    [[ -z $debian ]] || "$PYTHON" -m venv --system-site-packages "$fresh"
    { wheels_without_hash program && pip_locked program && pip install --no-index --no-deps --no-build-isolation "$work"; } ||
        fail "the program could not be installed: see above"
    cp -r "$work/systemd" "$fresh/systemd" || fail "the program could not be copied to $fresh; is the disk full?"
    "$fresh/bin/companion" --version >/dev/null || fail "the program does not start"
}

# The new version on a copy of the rounds and without devices, so that a version that cannot start changes nothing.
try_out() {
    chmod 711 "$work"
    install -d -o companion -g companion -m 700 "$work/trial"
    as_companion 300 "$PYTHON" -I "$fresh/systemd/trial.py" copy "$STATE" "$work/trial" ||
        warn "the rounds cannot be copied, so the new version is tested without them"
    as_companion 300 "$PYTHON" -I "$fresh/systemd/trial.py" "$fresh/bin/companion" "$work/trial" ||
        fail "the new version did not pass its test, so it was not installed"
}
