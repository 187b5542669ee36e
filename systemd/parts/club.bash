# What a club night needs, docs/hall.md: the uplink at a table with [hall] link, broker and hall at a computer with [hall]
# club. Both need the extra "hall"; without it nothing of this is installed.
CLUB_FOLDER=/etc/companion-hall
LINK_FILE=/etc/companion/hall.link # The unit of the uplink has it handed over from here.
link="" club="" with_table=yes

# A configuration that cannot be used is told at the end, by look_around.
read_club() {
    local found
    [[ -e $CONFIG ]] || return 0
    mapfile -t found < <(cd "$source" && "$PYTHON" -B -c '
from companion.config import load_config
import sys
config = load_config(sys.argv[1])
print(config.hall.link or "", config.hall.club, "yes" if config.install.table else "", sep="\n")' "$CONFIG" 2>/dev/null)
    ((${#found[@]} == 3)) || return 0
    link=${found[0]} club=${found[1]} with_table=${found[2]}
    if [[ -n $link$club ]] && ! has_extra hall; then
        warn "[hall] is configured, but \"hall\" is not in [install] extras: no rounds are sent or collected"
        link="" club=""
    fi
    [[ -n $with_table || -n $club ]] || fail "$CONFIG: table = false is only for a club server, with [hall] club"
}

# A version brings the units of what the configuration asks for, and no others.
choose_units() {
    local units=$fresh/systemd
    [[ -n $link ]] || rm -f "$units/companion-uplink.service"
    [[ -n $club ]] || rm -f "$units"/companion-{broker,hall}.service
    [[ -n $with_table ]] || rm -f "$units"/companion{,-phones,-door,-web}.{service,path,socket}
}

make_club_users() {
    local each
    for each in sysusers.d tmpfiles.d; do
        if [[ -n $link$club ]]; then
            put_file "$source/systemd/$each/companion-club.conf" "/etc/$each/companion-club.conf"
        else
            rm -f "/etc/$each/companion-club.conf"
        fi
    done
    [[ -n $link$club ]] || return 0
    systemd-sysusers /etc/sysusers.d/companion-club.conf
    systemd-tmpfiles --create /etc/tmpfiles.d/companion-club.conf
}

# Once: certificate, settings and passwords of the broker; at an upgrade what it lets the tables do. Debian's own broker, which listens too, is not wanted for that.
make_club() {
    [[ -n $club ]] || return 0
    if [[ ! -x /usr/sbin/mosquitto ]]; then
        apt_install mosquitto || warn "Mosquitto could not be installed, so there is no broker. Try: sudo apt install mosquitto"
        ! booted || systemctl disable --now --quiet mosquitto.service 2>/dev/null || true
    fi
    command -v openssl >/dev/null || apt_install openssl || true
    if [[ -e $CLUB_FOLDER/club.json ]]; then
        "$fresh/bin/companion" hall --club "$CLUB_FOLDER" access >/dev/null ||
            warn "the broker's access list could not be updated: see above"
    else
        "$fresh/bin/companion" hall --club "$CLUB_FOLDER" set-up "$club" || warn "the club could not be set up: see above"
    fi
    systemd-tmpfiles --create /etc/tmpfiles.d/companion-club.conf # What was made before the users.
}

look_at_club() {
    [[ -n $link ]] || return 0
    if [[ $link != "$LINK_FILE" ]]; then
        warn "the service reads the link to the club from $LINK_FILE, not from $link: put it there"
    elif [[ ! -s $link ]]; then
        warn "$link does not exist yet, so no rounds are sent. Write the link from the club's organiser there, then run" \
            "sudo systemctl start companion-uplink"
    fi
}
