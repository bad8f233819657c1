#!/usr/bin/env bash
set -euo pipefail

usage() {
  cat << 'END'
Builds the LocalStack image of the integration tests without a container registry: a Debian root file
system, LocalStack's open-source core from PyPI, kinesis-local and Node.js from npm, and the plugins
beside this script. Does nothing when the image is there and was made from these very files.

  build-image.sh           build it if needed: as root, on Debian or Ubuntu, with npm and a Docker engine
  build-image.sh --force   build it anew
  build-image.sh --tag     print the image's name
  build-image.sh --help    print this

PENSTOCK_IMAGE       the image's name, default penstock/localstack:<version of LocalStack>
PENSTOCK_BUILD_DIR   working folder, empty afterwards, default /var/cache/penstock-localstack (1 GB)
DEBIAN_MIRROR        default: on Debian the mirror that apt uses, else debootstrap's own default
END
}

LOCALSTACK_VERSION=4.14.0
KINESIS_LOCAL_VERSION=0.5.2 # the version this LocalStack release looks for
NODE_VERSION=24.21.0
RIC_VERSION=4.0.2
SUITE=trixie # has Python 3.13, which LocalStack needs
IMAGE="${PENSTOCK_IMAGE:-penstock/localstack:$LOCALSTACK_VERSION}"
IMAGE_PATH=/opt/localstack/venv/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin

here="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"
folder="${PENSTOCK_BUILD_DIR:-/var/cache/penstock-localstack}"
lent=()
candidate="" trial="" # the image and the container that are not yet known to be good

say() { printf '[build-image %4ds] %s\n' "$SECONDS" "$*"; }
die() {
  printf '[build-image] %s\n' "$*" >&2
  exit 1
}
die_with() { # the end of a log, then the sentence
  tail -n 20 "$1" >&2 || true
  die "$2"
}

force=false
for argument in "$@"; do
  case "$argument" in
    --force) force=true ;;
    --tag) echo "$IMAGE" && exit 0 ;;
    --help) usage && exit 0 ;;
    *) die "unknown argument $argument; --help lists them" ;;
  esac
done

[[ "$(uname -s)" == Linux ]] || die "the image is built on Linux only, and this is $(uname -s)"
docker info > /dev/null 2>&1 || die "no Docker engine answers; run $here/start-docker.sh first"

# A digest of everything the image is made from; the image carries it as a label.
recipe="$(
  cd "$here"
  find build-image.sh entrypoint.sh requirements.lock plugin runtime -type f \
    ! -path '*/__pycache__/*' ! -path '*/node_modules/*' ! -path '*.egg-info/*' -print0 \
    | LC_ALL=C sort -z | xargs -0 sha256sum | sha256sum | cut -c1-16
)"
image_field() { docker image inspect --format "$1" "$IMAGE" 2> /dev/null || true; }
stop_if_built() {
  if $force || [[ "$(image_field '{{index .Config.Labels "penstock.recipe"}}')" != "$recipe" ]]; then return; fi
  say "$IMAGE is up to date (recipe $recipe)"
  exit 0
}
stop_if_built

[[ "$(id -u)" == 0 ]] \
  || die "only root can build a root file system: run this once as root; then any user of the engine has $IMAGE"
command -v apt-get > /dev/null || die "apt-get is missing: the image is built on Debian or Ubuntu only"
command -v npm > /dev/null || die "npm is missing"
node_package="node-linux-$(uname -m | sed 's/^x86_64$/x64/; s/^aarch64$/arm64/')"

# Nothing is left of a build but the image, however it ends.
clean() {
  [[ -z "$trial" ]] || docker rm -f "$trial" > /dev/null 2>&1 || true
  [[ -z "$candidate" ]] || docker image rm "$candidate" > /dev/null 2>&1 || true
  awk -v at="$scratch/" 'index($2, at) == 1 { print $2 }' /proc/mounts | sort -r \
    | while read -r mounted; do umount "$mounted" || umount --lazy "$mounted"; done
  rm -rf --one-file-system "$scratch"
}
mkdir -p "$folder"
folder="$(cd "$folder" && pwd -P)"
scratch="$folder/scratch" root="$folder/scratch/root"
exec 9< "$folder"
flock 9 # one build at a time
stop_if_built
clean # what a killed build left
trap clean EXIT
trap 'exit 130' INT TERM
mkdir -p "$root"

install_tools() {
  local missing=()
  command -v debootstrap > /dev/null || missing+=(debootstrap)
  [[ -e /usr/share/keyrings/debian-archive-keyring.gpg ]] || missing+=(debian-archive-keyring)
  ((${#missing[@]})) || return 0
  say "installing ${missing[*]}"
  export DEBIAN_FRONTEND=noninteractive
  { apt-get update && apt-get install -y --no-install-recommends "${missing[@]}"; } > "$scratch/apt.log" 2>&1 \
    || die_with "$scratch/apt.log" "apt-get cannot install ${missing[*]}"
}

# The mirror that apt on this machine uses for its own release; empty when that is no Debian mirror.
mirror() {
  local ID="" VERSION_CODENAME=""
  # shellcheck disable=SC1091
  [[ ! -r /etc/os-release ]] || . /etc/os-release
  [[ "$ID" == debian ]] || return 0
  # shellcheck disable=SC2016
  apt-get indextargets --format '$(REPO_URI) $(RELEASE) $(COMPONENT)' 'Created-By: Packages' \
    | awk -v c="$VERSION_CODENAME" '$1 ~ /^https?:|^file:/ && $2 == c && $3 == "main" && !n++ { print $1 }'
}

make_base() {
  say "Debian $SUITE root file system"
  local url proxy arguments=(--variant=minbase '--include=ca-certificates,python3,python3-venv' "$SUITE" "$root")
  url="${DEBIAN_MIRROR:-$(mirror)}"
  [[ -z "$url" ]] || arguments+=("$url")
  proxy="$(apt-config shell p Acquire::http::Proxy | sed -n "s/^p='\(.*\)'$/\1/p")"
  [[ -n "$proxy" && "$proxy" != DIRECT ]] || proxy="${http_proxy:-}"
  http_proxy="$proxy" debootstrap "${arguments[@]}" > "$scratch/debootstrap.log" 2>&1 \
    || die_with "$scratch/debootstrap.log" "debootstrap failed${url:+ with the mirror $url}; DEBIAN_MIRROR names another"
}

# Runs a command in the root file system.
in_root() { chroot "$root" /usr/bin/env -u PYTHONPATH -u PYTHONHOME -u VIRTUAL_ENV HOME=/root PATH="$IMAGE_PATH" "$@"; }

# Gives the root file system this machine's name service, pip settings and certificates.
lend_settings() {
  local file home="${HOME:-/root}"
  mkdir -p "$scratch/saved" "$root/root/.config/pip" "$root/root/.pip"
  cp -a "$root/etc/ssl/certs/ca-certificates.crt" "$scratch/saved/"
  cp -L /etc/resolv.conf /etc/hosts "$root/etc/"
  cp -L "${SSL_CERT_FILE:-/etc/ssl/certs/ca-certificates.crt}" "$root/etc/ssl/certs/ca-certificates.crt"
  # A setting that names another certificate file must find it at the same place.
  for file in "${PIP_CERT:-}" "${SSL_CERT_FILE:-}" "${REQUESTS_CA_BUNDLE:-}" "${CURL_CA_BUNDLE:-}" /etc/pip.conf; do
    [[ -f "$file" && ! -e "$root$file" ]] || continue
    install -D -m 644 "$file" "$root$file"
    lent+=("$file")
  done
  for file in .config/pip/pip.conf .pip/pip.conf; do [[ ! -f "$home/$file" ]] || cp -L "$home/$file" "$root/root/$file"; done
  mount -t proc proc "$root/proc"
}

# Takes them back: nothing of this machine stays in the image.
return_settings() {
  local file
  umount "$root/proc"
  for file in "${lent[@]}"; do rm -f "$root$file"; done
  cp -a "$scratch/saved/ca-certificates.crt" "$root/etc/ssl/certs/"
  : > "$root/etc/resolv.conf"
  echo '127.0.0.1 localhost' > "$root/etc/hosts"
  echo localstack > "$root/etc/hostname"
  echo "deb http://deb.debian.org/debian $SUITE main" > "$root/etc/apt/sources.list"
  rm -rf "$root"/root/.cache "$root"/root/.config "$root"/root/.pip "$root"/tmp/* \
    "$root"/var/cache/apt/* "$root"/var/lib/apt/lists/* "$root"/var/log/*.log
}

install_localstack() {
  say "LocalStack core $LOCALSTACK_VERSION and its pinned dependencies"
  local pip=(/opt/localstack/venv/bin/pip --no-cache-dir install --no-deps) setuptools
  setuptools="$(grep '^setuptools==' "$here/requirements.lock")"
  mkdir -p "$root/tmp/build"
  cp -r "$here/requirements.lock" "$here/plugin" "$root/tmp/build/"
  {
    in_root python3 -m venv /opt/localstack/venv \
      && in_root "${pip[@]}" "$setuptools" \
      && in_root "${pip[@]}" --no-build-isolation -r /tmp/build/requirements.lock \
      && in_root "${pip[@]}" --no-build-isolation /tmp/build/plugin \
      && in_root "${pip[0]}" check
  } > "$scratch/pip.log" 2>&1 || die_with "$scratch/pip.log" "pip failed"
  # What the published image also has: the marker of the edition, the data folder, the service catalogue.
  mkdir -p "$root/usr/lib/localstack" "$root/var/lib/localstack" "$root/etc/localstack/init"
  touch "$root/usr/lib/localstack/.community-version"
  in_root env OVERRIDE_IN_DOCKER=1 python -m localstack.aws.spec > "$scratch/spec.log" 2>&1 \
    || die_with "$scratch/spec.log" "LocalStack could not write its service catalogue"
  install -m 755 "$here/entrypoint.sh" "$root/usr/local/bin/docker-entrypoint.sh"
}

# Unpacks the given files of an npm package into a folder.
unpack_npm() {
  local name=$1 version=$2 to=$3
  shift 3
  mkdir -p "$scratch/pack" "$to"
  (cd "$scratch/pack" && npm pack --silent "$name@$version" > /dev/null) || die "npm has no $name@$version"
  tar -xzf "$scratch/pack/$name-$version.tgz" --no-same-owner --strip-components=1 -C "$to" "${@/#/package/}"
}

install_node() {
  say "Node.js $NODE_VERSION, the Lambda runtime client, kinesis-local"
  local runtime="$root/var/runtime" kinesis="$root/usr/lib/localstack/kinesis-local/$KINESIS_LOCAL_VERSION"
  local flags=(--ignore-scripts --no-audit --no-fund --omit=dev --loglevel=error)
  unpack_npm "$node_package" "$NODE_VERSION" "$root/usr/local" bin/node
  mkdir -p "$runtime"
  cp "$here"/runtime/*.* "$runtime/"
  npm ci "${flags[@]}" --prefix "$runtime" > /dev/null || die "npm ci failed in the copy of $here/runtime"
  # Only the client's own files: bootstrap.mjs stands in for its compiled addon, so its build tools can stay away.
  unpack_npm aws-lambda-ric "$RIC_VERSION" "$runtime/node_modules/aws-lambda-ric" \
    index.mjs package.json LICENSE NOTICE THIRD-PARTY-LICENSES
  ln -s var/runtime/node_modules "$root/node_modules" # where import and require of function code end their search
  npm install "${flags[@]}" --prefix "$kinesis" "kinesis-local@$KINESIS_LOCAL_VERSION" > /dev/null \
    || die "npm cannot install kinesis-local@$KINESIS_LOCAL_VERSION"
  find "$runtime" "$kinesis" -name '*package-lock.json' -delete # they may name this machine's registry
}

# Imports the root file system, starts it once, and only then gives it its name.
import_image() {
  say "docker import"
  local before running=true
  candidate="$(
    tar --one-file-system --numeric-owner -C "$root" --exclude='./proc/*' --exclude='./sys/*' --exclude='./dev/*' -c . \
      | docker import \
        --message "LocalStack core $LOCALSTACK_VERSION with penstock plugins" \
        --change "LABEL penstock.recipe=$recipe" \
        --change "ENV PATH=$IMAGE_PATH PYTHONUNBUFFERED=1" \
        --change 'ENV SKIP_SSL_CERT_DOWNLOAD=1 DISABLE_EVENTS=1 DNS_ADDRESS=0 SQS_ENDPOINT_STRATEGY=dynamic' \
        --change 'ENV PROVIDER_OVERRIDE_DYNAMODB=moto LAMBDA_RUNTIME_EXECUTOR=local' \
        --change 'EXPOSE 4566' --change 'ENTRYPOINT ["docker-entrypoint.sh"]' -
  )"
  say "starting it once"
  trial="$(docker run -d "$candidate")"
  for _ in $(seq 240); do
    docker logs "$trial" > "$scratch/start.log" 2>&1
    if grep -qx 'Ready\.' "$scratch/start.log" || ! $running; then break; fi
    running="$(docker inspect --format '{{.State.Running}}' "$trial")"
    sleep 0.5
  done
  grep -qx 'Ready\.' "$scratch/start.log" || die_with "$scratch/start.log" "the image does not start; $IMAGE is as it was"
  before="$(image_field '{{.Id}}')"
  docker tag "$candidate" "$IMAGE" && candidate=""
  [[ -z "$before" ]] || docker image rm "$before" > /dev/null 2>&1 \
    || say "the image it replaces is still in use: docker image rm $before"
}

{ # read as a whole: an edit of this file does not change a build that runs
  install_tools
  make_base
  lend_settings
  install_localstack
  install_node
  return_settings
  import_image
  say "built $IMAGE ($(image_field '{{.Size}}' | awk '{ printf "%.0f MB", $1 / 1e6 }')) in $SECONDS s"
  exit
}
