# The versions below /opt/companion, each an environment env-N with its unit and these scripts in env-N/systemd:
#
#     current     the link that the unit starts
#     previous    the link to the last version that is known to start
#     unproven    this file is there while `current` has not yet shown that it starts
#
# A version is changed by renames alone. All that they lead to is on disk before the first of them, so a power cut
# leaves the old version or the new one.
UNIT_FILES=(companion.service companion-back.service
    companion-phones.path companion-phones.service companion-web.socket companion-web.service
    companion-uplink.service companion-broker.service companion-hall.service)
WANTED=/etc/systemd/system/multi-user.target.wants

version_of() { basename "$(readlink "$HOME_OF_IT/$1" || true)"; }

# One call writes out the whole file system. Calling fsync for each of a thousand files and their folders would
# promise the same and take longer on an SD card.
write_out() {
    sync --file-system "$HOME_OF_IT" "$UNITS"
}

rounds_version() {
    as_companion "$PYTHON" -I "$1/systemd/rounds.py" version "$STATE" 2>/dev/null || echo 0
}

# All that a change to version $1 needs room for, on disk; nothing of it is in use yet.
prepare_switch() {
    local to=$1 each
    mkdir -p "$UNITS" /usr/local/bin
    for each in "${UNIT_FILES[@]}"; do
        [[ ! -e $HOME_OF_IT/$to/systemd/$each ]] || install -m 644 "$HOME_OF_IT/$to/systemd/$each" "$UNITS/$each.new"
    done
    ln -sfn "$to" "$HOME_OF_IT/.current"
    [[ -L /usr/local/bin/companion ]] || ln -sfn "$HOME_OF_IT/current/bin/companion" /usr/local/bin/companion
    write_out
}

# `previous` will be the present version, unless that never proved itself: then `previous` stays what it is.
prepare_previous() {
    local old
    old=$(version_of current)
    if [[ -n $old && ! -e $HOME_OF_IT/unproven ]]; then
        keep_units "$HOME_OF_IT/$old/systemd"
        rounds_version "$fresh" >"$HOME_OF_IT/$old/rounds-version"
        ln -sfn "$old" "$HOME_OF_IT/.previous"
    fi
}

# A version that was installed before versions kept their units gets the unit that it runs with.
keep_units() {
    [[ ! -d $1 ]] || return 0
    mkdir "$1"
    cp "$UNITS/companion.service" "$1/"
}

# Renames and removals alone, so a full disk cannot stop it halfway.
switch_to() {
    local to=$1 each
    for each in "${UNIT_FILES[@]}"; do
        if [[ -e $UNITS/$each.new ]]; then
            mv -T "$UNITS/$each.new" "$UNITS/$each"
        else
            rm -f "$UNITS/$each"
        fi
    done
    mv -T "$HOME_OF_IT/.current" "$HOME_OF_IT/current"
    write_out
}

remember_previous() {
    [[ ! -L $HOME_OF_IT/.previous ]] || mv -T "$HOME_OF_IT/.previous" "$HOME_OF_IT/previous"
    if [[ -L $HOME_OF_IT/previous ]]; then
        : >"$HOME_OF_IT/unproven"
    fi
    write_out
}

# What runs of the installer that were killed have left: copies of the source, environments that nothing leads to.
remove_leavings() {
    local each
    rm -rf "$HOME_OF_IT"/.build.* "$HOME_OF_IT/.current" "$HOME_OF_IT/.previous" "$UNITS"/companion*.new
    for each in "$HOME_OF_IT"/env-*; do
        [[ $each -ef $HOME_OF_IT/current || $each -ef $HOME_OF_IT/previous ]] || rm -rf "$each"
    done
}

proven() {
    rm -f "$HOME_OF_IT/unproven"
    write_out
    remove_leavings
}

# -- starting ------------------------------------------------------------------------------------------------------

booted() { [[ -d /run/systemd/system ]]; }

# The unit that shows whether a version starts: the table's, or the hall's where there is no table.
main_unit() { [[ -e $UNITS/companion.service ]] && echo companion.service || echo companion-hall.service; }

# The unit says READY, and for ten seconds its process neither ends nor is started anew.
starts() {
    local pid second
    systemctl daemon-reload
    systemctl reset-failed "$(main_unit)" 2>/dev/null || true
    systemctl restart "$(main_unit)" || return 1
    pid=$(main_pid)
    for second in {1..10}; do
        sleep 1
        [[ $pid != 0 && $(main_pid) == "$pid" ]] || return 1
    done
}

main_pid() { systemctl show "$(main_unit)" --value --property=MainPID; }

why_not() {
    journalctl --unit "$(main_unit)" --lines 5 --output cat --no-pager >&2 || true
}

# The services of a club night run as the version that is there now, or end where it has none of them. The main unit runs
# already.
follow_club() {
    local unit
    for unit in companion-{broker,hall,uplink}.service; do
        if [[ -e $UNITS/$unit ]]; then
            systemctl enable --quiet "$unit"
            [[ $unit == "$(main_unit)" ]] || ! booted || systemctl restart "$unit" || warn "$unit does not start; journalctl -u $unit says why"
        elif [[ -L $WANTED/$unit ]]; then
            rm -f "$WANTED/$unit"
            ! booted || systemctl stop "$unit" 2>/dev/null || true
        fi
    done
}

# -- going back ----------------------------------------------------------------------------------------------------

can_go_back() { [[ -d $HOME_OF_IT/previous && ! $HOME_OF_IT/previous -ef $HOME_OF_IT/current ]]; }

# The version before, with its unit and the rounds as it left them; what the newer version has made of them is kept.
go_back() {
    local to version
    to=$(version_of previous)
    ! booted || systemctl stop companion.service 2>/dev/null || true
    version=$(cat "$HOME_OF_IT/$to/rounds-version" || echo 0)
    as_companion "$PYTHON" -I "$HOME_OF_IT/current/systemd/rounds.py" back "$STATE" "$version" ||
        warn "the rounds stay as the newer version left them; the older one may not be able to read them"
    prepare_switch "$to"
    switch_to "$to"
    rm -f "$HOME_OF_IT/unproven" "$HOME_OF_IT/previous"
    [[ -e $UNITS/companion-phones.path ]] || rm -f "$WANTED/companion-phones.path"
    follow_club
    write_out
}
