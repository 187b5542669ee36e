# The versions below /opt/companion, each an environment env-N with its unit and these scripts in env-N/systemd:
#
#     current     the link that the unit starts
#     previous    the link to the last version that is known to start
#     unproven    this file is there while `current` has not yet shown that it starts; the installer takes it away, or
#                 companion-proven.service where the plug was pulled before
#
# A version is changed by renames alone. All that they lead to is on disk before the first of them, so a power cut
# leaves the old version or the new one.
UNIT_FILES=(companion.service companion-back.service companion-proven.service
    companion-phones.path companion-phones.service
    companion-door.socket companion-door.service companion-web.socket companion-web.service
    companion-uplink.service companion-broker.service companion-hall.service)
WANTED=/etc/systemd/system/multi-user.target.wants

version_of() { basename "$(readlink "$HOME_OF_IT/$1" || true)"; }

# One call writes out the whole file system. Calling fsync for each of a thousand files and their folders would
# promise the same and take longer on an SD card.
write_out() {
    sync --file-system "$HOME_OF_IT" "$UNITS"
}

# After a change it is too late to stop: what is there now has to be started.
write_out_if_possible() {
    write_out || warn "the disk reports that it could not save the changes"
}

# All that a change to version $1 needs room for, on disk; nothing of it is in use yet.
prepare_switch() {
    local to=$1 each
    mkdir -p "$UNITS" /usr/local/bin || return
    for each in "${UNIT_FILES[@]}"; do
        [[ ! -e $HOME_OF_IT/$to/systemd/$each ]] ||
            install -m 644 "$HOME_OF_IT/$to/systemd/$each" "$UNITS/$each.new" || return
    done
    ln -sfn "$to" "$HOME_OF_IT/.current" || return
    [[ -L /usr/local/bin/companion ]] || ln -sfn "$HOME_OF_IT/current/bin/companion" /usr/local/bin/companion || return
    write_out
}

# `previous` will be the present version, unless that never proved itself: then `previous` stays what it is.
prepare_previous() {
    local old
    old=$(version_of current)
    if [[ -n $old && ! -e $HOME_OF_IT/unproven ]]; then
        keep_units "$HOME_OF_IT/$old/systemd"
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
    write_out_if_possible
}

remember_previous() {
    [[ ! -L $HOME_OF_IT/.previous ]] || mv -T "$HOME_OF_IT/.previous" "$HOME_OF_IT/previous"
    if [[ -L $HOME_OF_IT/previous ]]; then
        : >"$HOME_OF_IT/unproven"
    fi
    write_out
}

# What runs of the installer that were killed have left: copies of the source, environments that nothing leads to. What
# cannot be removed, or is filled anew by the user whose it is, stays until the next run.
remove_leavings() {
    local each
    rm -rf "$HOME_OF_IT"/.build.* "$HOME_OF_IT/.current" "$HOME_OF_IT/.previous" "$UNITS"/companion*.new || true
    for each in "$HOME_OF_IT"/env-*; do
        [[ $each -ef $HOME_OF_IT/current || $each -ef $HOME_OF_IT/previous ]] || rm -rf "$each" || true
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

# The unit says READY, and holds.
starts() {
    systemctl daemon-reload
    systemctl reset-failed "$(main_unit)" 2>/dev/null || true
    systemctl restart "$(main_unit)" && holds
}

# For ten seconds the unit is ready, and its process neither ends nor is started anew.
holds() {
    local state second
    state=$(main_state)
    for second in {1..10}; do
        sleep 1
        [[ $state == *ActiveState=active* && $(main_state) == "$state" ]] || return 1
    done
}

main_state() { systemctl show "$(main_unit)" --property=ActiveState,MainPID; }

# Whether the table has ended with 78: its configuration cannot be used. No other version would do better.
refused_its_settings() { [[ $(systemctl show "$(main_unit)" --value --property=ExecMainStatus) == 78 ]]; }

why_not() {
    journalctl --unit "$(main_unit)" --lines 5 --output cat --no-pager >&2 || true
}

# The other services run as the version that is there now, or end where it has none of them. The main unit runs already,
# and nothing here stops what comes after: where /etc can only be read, a link that leads nowhere does no harm.
follow_units() {
    local unit
    for unit in "${UNIT_FILES[@]}"; do
        if [[ $unit == companion-back.service ]]; then
            continue # It may be what runs this.
        elif [[ ! -e $UNITS/$unit ]]; then
            rm -f "$WANTED/$unit" 2>/dev/null || true
            ! booted || systemctl stop "$unit" 2>/dev/null || true
        elif [[ $unit == companion-phones.service ]]; then
            # While phones are on it starts again by itself, and with it pages and door of the version that is there now.
            ! booted || systemctl stop "$unit" 2>/dev/null || true
        elif [[ $unit =~ -(broker|hall|uplink) ]]; then
            systemctl enable --quiet "$unit" || warn "$unit will not start at the next boot"
            [[ $unit == "$(main_unit)" ]] || ! booted || systemctl restart "$unit" ||
                warn "$unit does not start; journalctl -u $unit shows why"
        fi
    done
}

# -- going back ----------------------------------------------------------------------------------------------------

can_go_back() { [[ -d $HOME_OF_IT/previous && ! $HOME_OF_IT/previous -ef $HOME_OF_IT/current ]]; }

# The version before, with its unit; the rounds stay as they are, since every version reads the journal.
# All that needs room comes first: without it the table goes on as it is.
go_back() {
    local to
    to=$(version_of previous)
    prepare_switch "$to" || fail "the previous version cannot be put back: see above. When there is space on the disk, run" \
        "sudo $HOME_OF_IT/current/systemd/back"
    ! booted || systemctl stop companion.service 2>/dev/null || true
    # A port whose unit the older version does not have would stay open without it.
    ! booted || systemctl stop companion-phones.service 2>/dev/null || true
    switch_to "$to"
    rm -f "$HOME_OF_IT/unproven" "$HOME_OF_IT/previous"
    write_out_if_possible
}
