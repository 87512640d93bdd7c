# SPDX-License-Identifier: Apache-2.0
#
# Builds one application for one board from what `./corral build` has generated. By hand:
#   cmake -G Ninja -S . -B BUILD/cmake -DCORRAL_BUILD=BUILD
# where BUILD holds board.cmake (toolchain, flags) and sources.cmake (parts, from the generator).

if(NOT CORRAL_BUILD)
    message(FATAL_ERROR "CORRAL_BUILD is not set: build with ./corral build APP BOARD, or use "
                        "add_subdirectory() and corral_library(): docs/INTEGRATING.md")
endif()
include(${CORRAL_BUILD}/board.cmake)
if(NOT CMAKE_BUILD_TYPE)
    set(CMAKE_BUILD_TYPE MinSizeRel)
endif()

project(corral C ASM)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
# Assertions belong to the libraries; size figures are those of release builds.
set(lines_and_variables -g)
if(CORRAL_TESTING)
    # The tests need the lines of a trace; variables cost a sixth of the compiler's time.
    set(lines_and_variables -g1)
endif()
set(CMAKE_C_FLAGS_MINSIZEREL "-Os ${lines_and_variables}")
set(CMAKE_C_FLAGS_RELEASE "-O2 ${lines_and_variables}")
set(CMAKE_C_FLAGS_DEBUG "-Og ${lines_and_variables}")
set(CMAKE_CXX_FLAGS_MINSIZEREL ${CMAKE_C_FLAGS_MINSIZEREL})
set(CMAKE_CXX_FLAGS_RELEASE ${CMAKE_C_FLAGS_RELEASE})
set(CMAKE_CXX_FLAGS_DEBUG ${CMAKE_C_FLAGS_DEBUG})

set(CORRAL_PREFIX corral)
include(${CMAKE_CURRENT_LIST_DIR}/corral.cmake)
add_compile_options(${CORRAL_BOARD_CFLAGS})
include(${CORRAL_BUILD}/sources.cmake)

# What C++ needs of a run-time library is there on a host; for a board it is compiled without.
set(linker_language C)
if(CORRAL_APP_LANGUAGES AND NOT CMAKE_CROSSCOMPILING)
    set(linker_language CXX)
endif()
# A script may INCLUDE what stands in a folder of ports/, such as picolibc/sections.ld.
set(search ${CORRAL_PORT_FOLDERS})
list(TRANSFORM search PREPEND -L)
set(parts ${CORRAL_PORT_FOLDERS})
list(TRANSFORM parts APPEND /*/*.ld)
file(GLOB CORRAL_LINKER_PARTS ${parts})

# corral_image(TARGET FILE SCRIPT OBJECTS...): a program, by a board's linker script if it has one.
function(corral_image target file script)
    add_executable(${target} ${ARGN})
    set_target_properties(${target} PROPERTIES OUTPUT_NAME ${file}
                          LINKER_LANGUAGE ${linker_language}
                          RUNTIME_OUTPUT_DIRECTORY ${CORRAL_BUILD})
    target_link_options(${target} PRIVATE ${CORRAL_BOARD_CFLAGS} ${CORRAL_BOARD_LDFLAGS}
                        -Wl,--gc-sections -Wl,-Map=${CORRAL_BUILD}/${file}.map)
    if(script)
        target_link_options(${target} PRIVATE ${search} -T ${script})
        set_target_properties(${target} PROPERTIES
                              LINK_DEPENDS "${script};${CORRAL_LINKER_PARTS}")
    endif()
endfunction()

get_property(objects GLOBAL PROPERTY corral_IMAGE)
get_property(libraries GLOBAL PROPERTY corral_SYSTEM_LIBRARIES)
if(CORRAL_TRUSTED_IMAGE)
    corral_image(trusted ${CORRAL_TRUSTED_IMAGE} "${CORRAL_LINKER_SCRIPT}" ${objects})
    target_link_libraries(trusted PRIVATE ${libraries})
    set(libraries "")
    get_property(objects GLOBAL PROPERTY corral_CLIENT_IMAGE)
    corral_image(image ${CORRAL_IMAGE} "${CORRAL_CLIENT_LINKER_SCRIPT}" ${objects})
    add_dependencies(image trusted)
    set_property(TARGET image APPEND PROPERTY LINK_DEPENDS
                 "${CORRAL_BUILD}/${CORRAL_TRUSTED_IMAGE}")
    if(CORRAL_TRANSPORT STREQUAL "trustzone")
        # The linker of the secure image says where its entries are, and nothing else of it.
        set(entries ${CORRAL_BUILD}/entries.o)
        target_link_options(trusted PRIVATE -Wl,--cmse-implib -Wl,--out-implib=${entries})
        target_link_options(image PRIVATE ${entries}) # which comes with the other image
    endif()
else()
    corral_image(image ${CORRAL_IMAGE} "${CORRAL_LINKER_SCRIPT}" ${objects})
    if(CORRAL_BEHIND AND CORRAL_TRANSPORT STREQUAL "trustzone")
        set(entries ${CORRAL_BEHIND}/entries.o)
        target_link_options(image PRIVATE ${entries})
        set_property(TARGET image APPEND PROPERTY LINK_DEPENDS ${entries})
    endif()
endif()
target_link_options(image PRIVATE ${CORRAL_LINK_OPTIONS})
target_link_libraries(image PRIVATE ${CORRAL_LINK_LIBRARIES} ${libraries})
