# The games of other packages that the configuration names, [games] packages: a new version has them again.
# They come without hashes, as whoever wrote the configuration asked for; nothing that is locked is replaced by them.
add_games() {
    [[ -e $CONFIG ]] || return 0
    local packages package
    mapfile -t packages < <("$fresh/bin/python" -I -c '
from companion.config import load
import sys
print(*load(sys.argv[1]).games.packages, sep="\n")' "$CONFIG" 2>/dev/null)
    [[ -n ${packages[*]} ]] || return 0
    pip freeze --all --exclude tabletop-companion >"$work/held.txt"
    for package in "${packages[@]}"; do
        say "installing the game $package"
        pip install --no-build-isolation --constraint "$work/held.txt" "$package" ||
            warn "the game $package could not be installed; all others play on"
    done
}
