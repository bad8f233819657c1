#!/usr/bin/env bash
set -euo pipefail

usage() {
  cat << 'END'
Makes sure a Docker engine answers. Does nothing when one already does.

  start-docker.sh            start one if needed: as root; installs docker.io with apt when missing
  start-docker.sh --stop     stop the engine that this script started; any other is left alone
  start-docker.sh --status   exit 0 when an engine answers, else 1
  start-docker.sh --help     print this

PENSTOCK_DOCKER_ROOT    data folder of the engine, default: the engine's own default
PENSTOCK_DOCKER_STATE   folder of its process id and log, default /run/penstock-docker
END
}

state="${PENSTOCK_DOCKER_STATE:-/run/penstock-docker}"
pidfile="$state/dockerd.pid"
log="$state/dockerd.log"

say() { printf '[start-docker] %s\n' "$*"; }
die() {
  printf '[start-docker] %s\n' "$*" >&2
  exit 1
}
answers() { command -v docker > /dev/null && timeout 10 docker info > /dev/null 2>&1; }

# Prints the process id of the engine that this script started, if it still runs.
running_pid() {
  local pid
  pid="$(cat "$pidfile" 2> /dev/null)" || return 1
  [[ "$pid" =~ ^[0-9]+$ && "$(cat "/proc/$pid/comm" 2> /dev/null)" == dockerd ]] && echo "$pid"
}

stop_engine() {
  local pid
  pid="$(running_pid)" || {
    say "no engine of mine is running"
    return 0
  }
  kill "$pid" || die "engine $pid cannot be stopped by this user"
  for _ in $(seq 100); do
    [[ -d "/proc/$pid" ]] || break
    sleep 0.2
  done
  [[ ! -d "/proc/$pid" ]] || die "engine $pid did not stop within 20 s"
  rm -f "$pidfile"
  say "stopped engine $pid"
}

install_engine() {
  local packages=(docker.io iptables)
  if command -v dockerd > /dev/null && command -v docker > /dev/null; then return 0; fi
  command -v apt-get > /dev/null || die "Docker is missing, and this is no Debian or Ubuntu machine: install it"
  say "installing docker.io"
  export DEBIAN_FRONTEND=noninteractive
  apt-get update > "$state/apt.log" 2>&1 || die "apt-get update failed, see $state/apt.log"
  # From Debian trixie on the client is a package of its own.
  if apt-cache show docker-cli > /dev/null 2>&1; then packages+=(docker-cli); fi
  apt-get install -y --no-install-recommends "${packages[@]}" >> "$state/apt.log" 2>&1 \
    || die "apt-get install failed, see $state/apt.log"
}

# Starts dockerd with the given extra flags; false when it ends or does not answer in time.
try_engine() {
  local pid flags=(--pidfile "$pidfile" --exec-root "$state/exec" "$@")
  [[ -z "${PENSTOCK_DOCKER_ROOT:-}" ]] || flags+=(--data-root "$PENSTOCK_DOCKER_ROOT")
  say "dockerd ${flags[*]}"
  rm -f "$pidfile"
  setsid nohup dockerd "${flags[@]}" >> "$log" 2>&1 < /dev/null &
  pid=$!
  for _ in $(seq 120); do
    if answers; then return 0; fi
    kill -0 "$pid" 2> /dev/null || return 1
    sleep 0.5
  done
  kill "$pid" 2> /dev/null || true
  wait "$pid" || true # its socket and pid file are free only then
  return 1
}

case "${1:-}" in
  --stop)
    stop_engine
    exit 0
    ;;
  --status) if answers; then exit 0; else exit 1; fi ;;
  --help)
    usage
    exit 0
    ;;
  "") ;;
  *) die "unknown argument $1; --help lists them" ;;
esac

if answers; then
  say "an engine already answers ($(docker info --format '{{.ServerVersion}}, {{.Driver}}'))"
  exit 0
fi
[[ -z "${DOCKER_HOST:-}" ]] || die "DOCKER_HOST=$DOCKER_HOST does not answer; not starting another engine"
[[ "$(uname -s)" == Linux ]] || die "no Docker engine answers: start Docker Desktop, or whichever you have"
[[ "$(id -u)" == 0 ]] || die "no Docker engine answers to $(id -un): run this as root, or join the group docker"
mkdir -p "$state"
install_engine

if [[ -d /run/systemd/system ]] && systemctl start docker; then
  for _ in $(seq 60); do
    if answers; then break; fi
    sleep 0.5
  done
fi
# The plain call is enough on a normal kernel. The others give up layers, then packet filtering.
answers \
  || try_engine \
  || try_engine --storage-driver vfs \
  || try_engine --storage-driver vfs --iptables=false --ip6tables=false \
  || {
    [[ ! -f "$log" ]] || tail -n 20 "$log" >&2
    die "no engine could be started, see $log"
  }
say "engine up ($(docker info --format '{{.ServerVersion}}, {{.Driver}}'))$(pid="$(running_pid)" && echo ", pid $pid")"
