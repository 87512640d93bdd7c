#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
#   shared-object.sh FOLDER BUILD VERSION COMPILER ARGUMENT...
#
# Compiles, unless FOLDER has what the same compiler made of the same text with the same options:
# then copies that. Builds of the tests share the objects of third-party libraries so, of which each
# configuration would compile much the same. BUILD is the build folder, whose name says nothing
# about what is compiled; VERSION says which compiler it is.
set -eu
folder=$1
build=$2
version=$3
shift 3

# The command without its output; and of that, what the text does not show already.
object= previous= options=
for argument; do
    shift
    case $previous,$argument in
    -o,*) object=$argument ;;
    *,-o) ;;
    -isystem,* | *,-isystem | *,-[DI]*) set -- "$@" "$argument" ;;
    *)
        set -- "$@" "$argument"
        options="$options $argument"
        ;;
    esac
    previous=$argument
done
stem=${object%.o}

"$@" -E >"$stem.i" # and writes for ninja what was included
name=$({ echo "$version$options"; cat "$stem.i"; } | sed "s|$build|BUILD|g" | sha256sum)
rm -f "$stem.i"
kept=$folder/${name%% *}

if [ -f "$kept.o" ]; then
    if [ -f "$kept.su" ]; then cp "$kept.su" "$stem.su"; fi
    cp "$kept.o" "$object"
    exit
fi
"$@" -o "$object"
mkdir -p "$folder"
# Others may do the same now: what has its name is complete, and the object comes last.
for kind in su o; do
    if [ -f "$stem.$kind" ]; then
        cp "$stem.$kind" "$kept.$kind.$$"
        mv "$kept.$kind.$$" "$kept.$kind"
    fi
done
