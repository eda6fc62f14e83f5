#!/bin/sh
# Puts the newest stable kubectl into a folder: download_kubectl.sh [FOLDER] [TRIES] [PAUSE]
set -eu
folder=${1:-/kubeflow/chainer-operator/kube}
tries=${2:-10}
pause=${3:-5}
# The local cluster has one.
if [ -n "${KFTRAIN_KUBECTL:-}" ]; then exec ln -sf "$KFTRAIN_KUBECTL" "$folder/kubectl"; fi
site=https://dl.k8s.io/release
new=$(mktemp)
until version=$(curl -sSfL "$site/stable.txt") && curl -sSfL -o "$new" "$site/$version/bin/linux/amd64/kubectl"; do
    tries=$((tries - 1))
    [ "$tries" -gt 0 ] || exit 1
    sleep "$pause"
done
chmod 755 "$new"
mv "$new" "$folder/kubectl"
