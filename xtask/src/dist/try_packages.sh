# Installs, uses and purges the packages in $2 in a copy of this host that is gone afterwards: an
# overlay over /, seen by this script alone. $1 is an empty folder. Prints what each step gave.
set -eu
work=$1 packages=$2
mount -t tmpfs tmpfs "$work"
mkdir "$work/upper" "$work/work" "$work/root"
root=$work/root
mount -t overlay overlay -o "lowerdir=/,upperdir=$work/upper,workdir=$work/work" "$root"
for folder in proc sys dev; do mount --rbind "/$folder" "$root/$folder"; done
for folder in run tmp var/cache/man; do mount -t tmpfs tmpfs "$root/$folder"; done
mount --bind "$packages" "$root/mnt"
export HOME=/tmp MANPAGER=cat MANWIDTH=80 SYSTEMD_PAGER=

inside() { chroot "$root" "$@"; }
step() { echo "== $1"; }
# Without the triggers of other packages: man-db would index every page of this host.
install() { inside dpkg --no-triggers --path-include='/usr/share/*' --install "/mnt/$1" >&2; }

install truedisk.deb
step version && inside truedisk --version
step ping && inside truedisk ping -c 2 -i 10ms /mnt
step man && inside man truedisk
step man-record && inside man truedisk-record
step completion && inside bash -c '. /usr/share/bash-completion/completions/truedisk
    COMP_WORDS=(truedisk preset "") COMP_CWORD=2
    _truedisk truedisk "" preset
    printf "%s\n" "${COMPREPLY[@]}"'

install truedisk-agent.deb
step user && inside getent passwd truedisk
step unit && inside systemd-analyze verify truedisk-agent.service 2>&1
inside systemctl enable truedisk-agent.service >&2
step enabled && inside systemctl is-enabled truedisk-agent.service
mkdir "$root/var/lib/truedisk-agent"
touch "$root/var/lib/truedisk-agent/record.json"

inside dpkg --no-triggers --purge truedisk-agent truedisk >&2
step left
cd "$work/upper"
find . ! -type d | grep -v '^\./var/lib/dpkg/' | sort
find . -type d | while read -r folder; do [ -d "/$folder" ] || echo "$folder/"; done
