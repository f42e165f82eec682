#!/usr/bin/env bash
# run.sh SCENE prepare|scene: one half of a scene. `prepare` is done before the recording starts, `scene` is recorded.
source "$(dirname "$0")/lib.sh"
prepare() { :; }
# shellcheck source=/dev/null
source "$(dirname "$0")/$1.sh"
"$2"
