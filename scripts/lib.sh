# shellcheck shell=bash
# Functions of the scripts in this folder, which source it first.
set -euo pipefail

# Every script works from the top of the source tree, wherever it was called.
script=$(realpath "$0")
cd "$(dirname "${BASH_SOURCE[0]}")/.."

# The environment of CMakePresets.json, for build trees without a preset.
export CCACHE_NOHASHDIR=1 CCACHE_DEPEND=1 CCACHE_BASEDIR=$PWD
export CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime

print_step() { printf '== %s\n' "$*"; }

fail() {
    printf '%s: %s\n' "${script##*/}" "$*" >&2
    exit 1
}

# Prints the help text of the script, which is the comment at its top, and ends with exit code $1.
usage() {
    sed -n '2,/^[^#]/{s/^# \{0,1\}//p}' "$script"
    exit "$1"
}

# Prints CMAKE_CXX_FLAGS of the preset dev. Other build trees need them, too, so that ccache finds the objects of dev.
preset_flags() { sed -n 's/^ *"CMAKE_CXX_FLAGS": "\(--param[^"]*\)".*/\1/p' CMakePresets.json; }

# How many compilers may run at once: KFTRAIN_JOBS, else one per core, as long as each has 1.5 GB of memory.
jobs() {
    if [[ ${KFTRAIN_JOBS:-} ]]; then
        echo "$KFTRAIN_JOBS"
        return
    fi
    local cores memory
    cores=$(nproc)
    memory=$(awk '/^MemAvailable/ {print int($2 / 1500000)}' /proc/meminfo)
    if ((memory < 1)); then memory=1; fi
    echo $((cores < memory ? cores : memory))
}
