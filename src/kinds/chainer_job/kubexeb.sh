#!/bin/sh
# Runs a command in the container of a pod, as mpirun asks for: kubexeb.sh POD COMMAND...
# The command is one text or several, which are split at blanks, and no shell reads it.
set -euf
pod=$1
shift
# shellcheck disable=SC2048,SC2086
if [ "$pod" = "$(hostname)" ]; then exec $*; fi
# shellcheck disable=SC2048,SC2086
exec "${KUBECTL_DIR:-/kubeflow/chainer-operator/kube}/kubectl" exec -i "$pod" -c chainer -- $*
