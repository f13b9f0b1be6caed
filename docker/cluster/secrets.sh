#!/bin/sh
# Draws the passwords of a cluster, once, and writes the files that compose.cluster.yaml reads into a
# folder that only you may open: docker/secrets, or the one given.
set -eu
umask 077
folder=${1:-"$(dirname "$0")/../secrets"}
draw() {
    password=$(od -A n -N 20 -t x1 /dev/urandom | tr -d ' \n')
    [ ${#password} -eq 40 ] || { echo "$0: no password could be drawn; are od and tr there?" >&2; exit 1; }
}
draw && database=$password
draw && bus=$password
mkdir "$folder" # fails if there are secrets already: a database keeps its first password
printf '%s' "$database" >"$folder/postgres"
printf 'postgresql://crossroom:%s@postgres/crossroom' "$database" >"$folder/store"
printf 'nats://crossroom:%s@nats:4222' "$bus" >"$folder/bus"
cat >"$folder/nats.conf" <<END
port: 4222
http: "127.0.0.1:8222" # for the health check alone
authorization { user: crossroom, password: "$bus" }
END
# Containers with other users read the files; the folder keeps everybody else out.
chmod 644 "$folder"/*
