# What the program can do besides, [install] extras of the configuration: pages for phones (web), the
# evening's report, the way to a club's hall.
declare -A EXTRA_MIB=([web]=20 [report]=190 [hall]=2)
EXTRAS=()

# A configuration that cannot be used is told at the end, by look_around.
read_extras() {
    [[ -e $CONFIG ]] || return 0
    local each
    mapfile -t EXTRAS < <(cd "$source" && "$PYTHON" -B -c '
from companion.config import load_config
import sys
print(*load_config(sys.argv[1]).install.extras, sep="\n")' "$CONFIG" 2>/dev/null | grep .)
    for each in "${EXTRAS[@]}"; do NEEDED_MIB=$((NEEDED_MIB + EXTRA_MIB[$each])); done
}

has_extra() { [[ " ${EXTRAS[*]} " == *" $1 "* ]]; }

add_extras() {
    local each
    for each in "${EXTRAS[@]}"; do
        say "installing what the extra \"$each\" needs"
        { wheels_without_hash "$each" && pip_locked "$each"; } ||
            warn "the extra \"$each\" could not be installed, so it will not work; everything else will"
    done
}

# The port of the pages follows the socket of the table: companion-phones.path sees it come.
switch_pages() {
    if has_extra web && [[ -n $with_table ]]; then
        { systemctl enable --quiet companion-phones.path && { ! booted || systemctl restart companion-phones.path; }; } ||
            warn "the web pages for phones do not start; journalctl -u companion-phones.path shows why"
    else
        systemctl disable --quiet companion-phones.path 2>/dev/null || true
        ! booted || systemctl stop companion-phones.path 2>/dev/null || true
    fi
}
