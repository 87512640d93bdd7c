#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
#   shared-object.sh FOLDER BUILD VERSION COMPILER ARGUMENT...
#
# Compiles, unless FOLDER has what the same compiler made of the same text with the same options:
# then copies that. Builds of the tests share the objects of third-party libraries and of ports so,
# of which each configuration would compile much the same. BUILD is the build folder, whose name
# says nothing about what is compiled; VERSION says which compiler it is.
#
# Where the same command has been here before and the files that it read are what they were, not
# even the text is asked for: a list says which files, their hashes and the name of the object.
set -eu
folder=$1
build=$2
version=$3
shift 3
# The name of the object, and of each file "hash  path"; with the build's own folder in its place.
searched="${CPATH-}:${C_INCLUDE_PATH-}"
list=$({ echo "$version"; echo "$searched"; echo "$*"; } | sed "s|$build|BUILD|g" | sha256sum)
list=$folder/${list%% *}.list

# The command without its output; and of that, what the text does not show already.
object= previous= options= target= depends=
for argument; do
    shift
    case $previous in
    -MT) target=$argument ;;
    -MF) depends=$argument ;;
    esac
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

# take NAME: the object of that name is this build's.
take() {
    if [ -f "$folder/$1.su" ]; then cp "$folder/$1.su" "$stem.su"; fi
    cp "$folder/$1.o" "$object"
}

# keep FILE NAME: others may do the same now, so what has its name is complete.
keep() {
    cp "$1" "$folder/$2.$$"
    mv "$folder/$2.$$" "$folder/$2"
}

# What the command has read, for the list; nothing if a name has characters that make would escape.
note() {
    if [ ! -f "$depends" ] || grep -q '[$#]\|\\ ' "$depends"; then return; fi
    { echo "$1"; sed 's/^[^:]*://; s/\\$//' "$depends" | xargs sha256sum; } |
        sed "s|$build|BUILD|g" >"$stem.list"
    keep "$stem.list" "${list##*/}"
    rm -f "$stem.list"
}

if [ -n "$depends" ] && [ -f "$list" ]; then
    known=$(sed "s|BUILD|$build|g" "$list")
    name=${known%%
*}
    if [ -f "$folder/$name.o" ] && echo "$known" | sha256sum --check --status 2>/dev/null; then
        echo "$known" | sed "1s|.*|$target:|; s|^[0-9a-f]\{64\}  ||" | tr '\n' ' ' >"$depends"
        take "$name"
        exit
    fi
fi

"$@" -E >"$stem.i" # and writes for ninja what was included
name=$({ echo "$version$options"; cat "$stem.i"; } | sed "s|$build|BUILD|g" | sha256sum)
name=${name%% *}
rm -f "$stem.i"

if [ -f "$folder/$name.o" ]; then
    note "$name"
    take "$name"
    exit
fi
"$@" -o "$object"
mkdir -p "$folder"
for kind in su o; do # the object comes last
    if [ -f "$stem.$kind" ]; then keep "$stem.$kind" "$name.$kind"; fi
done
note "$name"
