# What install and back share: where things are, how they speak, and that only one of them runs at a time.
HOME_OF_IT=/opt/companion
CONFIG=/etc/companion/config.toml
STATE=/var/lib/companion
UNITS=/usr/local/lib/systemd/system
PYTHON=/usr/bin/python3

say() { printf 'companion: %s\n' "$*"; }
warn() { say "$*" >&2; warnings=$((warnings + 1)); }
fail() {
    say "$*" >&2
    exit 1
}

# Held until this script and all that it has started have ended.
take_lock() {
    mkdir -p "$HOME_OF_IT"
    exec 9>"$HOME_OF_IT/.lock"
    flock --nonblock 9
}

# The folder of the rounds belongs to a group: what root does there could be led elsewhere by a link. And whoever can
# change what lies there can hold it up: after $1 seconds root goes on without it.
as_companion() {
    timeout --foreground --kill-after=5 "$1" \
        setpriv --reuid companion --regid companion --init-groups --no-new-privs -- "${@:2}"
}
