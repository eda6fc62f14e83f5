#!/bin/sh
# Writes the hostfile of MPI once all workers run: gen_hostfile.sh HOSTFILE MASTER [SLOTS] [SETS] [TRIES] [PAUSE]
# A line of SETS is the name of a StatefulSet and the slots of its pods. The master comes last.
set -eu
hostfile=$1
master=$2
slots=${3:-slots=1}
sets=${4:-/kubeflow/chainer-operator/assets/statefulsets_and_slots}
tries=${5:-100}
pause=${6:-5}
kubectl=${KUBECTL_DIR:-/kubeflow/chainer-operator/kube}/kubectl

# The lines of all workers; fails if one does not run yet. How many there are to be, the sets say themselves.
workers() {
    while read -r set_name set_slots; do
        count=$("$kubectl" get statefulset "$set_name" -o 'jsonpath={.spec.replicas}' </dev/null) || return 1
        i=0
        while [ "$i" -lt "${count:-0}" ]; do
            phase=$("$kubectl" get pod "$set_name-$i" -o 'jsonpath={.status.phase}' </dev/null) || return 1
            [ "$phase" = Running ] || return 1
            echo "$set_name-$i $set_slots"
            i=$((i + 1))
        done
    done <"$sets"
}

until workers >"${hostfile}_new"; do
    tries=$((tries - 1))
    [ "$tries" -gt 0 ] || { echo "not all workers run" >&2; exit 1; }
    sleep "$pause"
done
echo "$master $slots" >>"${hostfile}_new"
mv "${hostfile}_new" "$hostfile"
