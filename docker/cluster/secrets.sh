#!/bin/sh
# Draws the passwords of a cluster, once, and writes what compose.cluster.yaml reads into a folder
# that only you may open: docker/secrets, or the one that is named.
set -eu
umask 077
folder=${1:-"$(dirname "$0")/../secrets"}
mkdir "$folder" # it ends here if there are some: a database does not forget its first password
drawn() { od -A n -N 20 -t x1 /dev/urandom | tr -d ' \n'; }
database=$(drawn) bus=$(drawn)
printf '%s' "$database" >"$folder/postgres"
printf 'postgresql://crossroom:%s@postgres/crossroom' "$database" >"$folder/store"
printf 'nats://crossroom:%s@nats:4222' "$bus" >"$folder/bus"
cat >"$folder/nats.conf" <<END
port: 4222
http: "127.0.0.1:8222" # for the health check alone
authorization { user: crossroom, password: "$bus" }
END
# Each file is shown to a container whose user is somebody else; the folder keeps all others out.
chmod 644 "$folder"/*
