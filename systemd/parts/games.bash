# The games of other packages that the configuration names, [games] packages: a new version has them again.
#
# Nothing of such a package is run by root. A user who may do nothing makes a wheel of it; root only unpacks wheels, into a
# folder of their own. There the program finds games, unless it is root that runs it (companion/games/plugins.py), and no
# file of the program itself is replaced by theirs.
add_games() {
    [[ -e $CONFIG ]] || return 0
    local packages package
    mapfile -t packages < <("$fresh/bin/python" -I -c '
from companion.config import load_config
import sys
print(*load_config(sys.argv[1]).games.packages, sep="\n")' "$CONFIG" 2>/dev/null)
    [[ -n ${packages[*]} ]] || return 0
    chmod 711 "$work"
    pip list --format=freeze >"$work/held.txt"
    for package in "${packages[@]}"; do
        say "installing the game $package"
        make_wheel "$package" &&
            pip install --prefix "$fresh/games" --only-binary :all: --constraint "$work/held.txt" "$wheel" ||
            warn "the game $package could not be installed; all other games still work"
    done
}

# The wheel of a package, in $wheel, as root's. What pip takes may be a folder or file that only its owner can read.
make_wheel() {
    local package=$1 place=$work/game built
    rm -rf "$place"
    install -d -m 700 -o nobody -g nogroup "$place" "$place/source" "$place/wheels" || return 1
    if [[ $package == */* && -e $package ]]; then
        package=$(realpath "$package") || return 1
        tar -C "$(dirname "$package")" -c -- "./$(basename "$package")" | as_nobody tar -C "$place/source" -x || return 1
        package=$place/source/$(basename "$package")
    fi
    as_nobody env HOME="$place" TMPDIR="$place" PIP_DISABLE_PIP_VERSION_CHECK=1 "$fresh/bin/python" -m pip --quiet \
        --no-cache-dir --no-input wheel --no-deps --no-build-isolation --wheel-dir "$place/wheels" "$package" || return 1
    built=("$place"/wheels/*.whl)
    wheel=$work/$(basename "${built[0]}")
    as_nobody cat "${built[0]}" >"$wheel"
}

# A user who may do nothing, without any right of root's; a build that takes longer than half an hour is ended.
as_nobody() {
    timeout --foreground --kill-after=5 1800 \
        setpriv --reuid nobody --regid nogroup --clear-groups --no-new-privs --inh-caps=-all --bounding-set=-all -- "$@"
}
