# SPDX-License-Identifier: Apache-2.0
#
# The functions that the generated sources.cmake calls. Each adds an object library, so that the
# linker map and nm name the part of the product that every byte and every symbol belongs to.
# Who includes this has set
#   CORRAL_BUILD   where the generated files are
#   CORRAL_PREFIX  what names of targets begin with
#   CORRAL_IMAGE   the file to be linked, in an image of ours; empty in a project of somebody
#                  else's, whose own flags count there

get_filename_component(CORRAL_ROOT "${CMAKE_CURRENT_LIST_DIR}/.." ABSOLUTE)
set(CORRAL_GEN ${CORRAL_BUILD}/gen)

if(CORRAL_IMAGE)
    set(CORRAL_APP_WARNINGS -Wall -Wextra -Wconversion -Wshadow)
    set(CORRAL_WARNINGS ${CORRAL_APP_WARNINGS} -Werror)
    if(CORRAL_TESTING)
        set(CORRAL_APP_WARNINGS ${CORRAL_WARNINGS})
    endif()
    set(CORRAL_CODE_FLAGS -ffunction-sections -fdata-sections -fstack-usage)
    set(CORRAL_OWN_FLAGS ${CORRAL_WARNINGS} -Wmissing-prototypes)
    # Libraries do the work of the tests, so they are fast in debug builds too.
    set(CORRAL_LIBRARY_FLAGS -w -fvisibility=hidden $<$<CONFIG:Debug>:-O2>
                             ${CORRAL_LIBRARY_OPTIONS})
    if("${CORRAL_BOARD_CFLAGS}" MATCHES "-fsanitize=")
        # Two checks of each address take a quarter of the time; AddressSanitizer finds at the
        # access what they would.
        list(APPEND CORRAL_LIBRARY_FLAGS -fno-sanitize=null,pointer-overflow)
    endif()
elseif(CMAKE_C_COMPILER_ID MATCHES "GNU|Clang")
    # What their flags warn of in our code is of no use to others, and must not be an error.
    set(CORRAL_APP_WARNINGS -w)
    set(CORRAL_CODE_FLAGS -ffunction-sections -fdata-sections)
    # A project may hide what does not ask to be seen; what is seen of the archive, exports.txt
    # says.
    set(CORRAL_OWN_FLAGS -w -fvisibility=default)
    set(CORRAL_LIBRARY_FLAGS -w -fvisibility=hidden)
    get_directory_property(options COMPILE_OPTIONS)
    if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES AND
       NOT "${CMAKE_C_FLAGS} ${options}" MATCHES "(^|[ ;])-O")
        # The project does not say how to optimise; its board does.
        list(APPEND CORRAL_CODE_FLAGS $<IF:$<BOOL:${CORRAL_SPEED}>,-O2,-Os>)
    endif()
endif()
if(CMAKE_C_COMPILER_ID MATCHES "GNU|Clang")
    # Contexts of drivers are handed to libraries as structures of theirs (CORRAL_REPEATS).
    # The core calls itself, whatever is wanted.
    list(APPEND CORRAL_OWN_FLAGS -fno-strict-aliasing -DCORRAL_CALL_UNWANTED)
    # Libraries read and write words where there are bytes. Their authors test that at -O2; at -O3
    # GCC reorders such accesses, and tags of AES-GCM by Mbed TLS are wrong.
    list(APPEND CORRAL_LIBRARY_FLAGS -fno-strict-aliasing)
    # Assembler of micro-ecc takes all low registers of a Cortex-M0, that of the frame too. At the
    # link GCC forgets that there is none where nothing is optimised; then there is nothing to gain.
    list(APPEND CORRAL_LIBRARY_FLAGS -fomit-frame-pointer $<$<CONFIG:Debug>:-fno-lto>)
    set(CORRAL_GLUE_FLAGS ${CORRAL_OWN_FLAGS} -fvisibility=hidden)
    set(CORRAL_NO_LTO -fno-lto)
endif()

set_property(GLOBAL PROPERTY ${CORRAL_PREFIX}_IMAGE "")
set_property(GLOBAL PROPERTY ${CORRAL_PREFIX}_CLIENT_IMAGE "")
set_property(GLOBAL PROPERTY ${CORRAL_PREFIX}_LIBRARY "")
set_property(GLOBAL PROPERTY ${CORRAL_PREFIX}_LIBRARY_TARGETS "")
set_property(GLOBAL PROPERTY ${CORRAL_PREFIX}_SYSTEM_LIBRARIES "")
# What every object sees, and all that an application does: no folder of a driver or a library.
set(CORRAL_INCLUDES ${CORRAL_GEN} ${CORRAL_ROOT}/include)
if(CORRAL_BEHIND)
    # Where a trusted side runs beside this image: by what its driver calls that.
    list(APPEND CORRAL_INCLUDES ${CORRAL_BEHIND}/gen/remote)
endif()

# corral_part(NAME [LIBRARY] SOURCES ... [INCLUDES ...] [DEFINES ...] [OPTIONS ...])
# LIBRARY: belongs to what an application links, not to the board or the application.
function(corral_part part)
    cmake_parse_arguments(PART "LIBRARY" "" "SOURCES;INCLUDES;DEFINES;OPTIONS" ${ARGN})
    if(NOT PART_SOURCES)
        return()
    endif()
    set(name ${CORRAL_PREFIX}_${part})
    list(REMOVE_DUPLICATES PART_SOURCES)
    if(NOT CMAKE_ASM_COMPILER)
        # CMake drops a source of a language that the project did not enable. Since 3.20 it also
        # tells the compiler the language that a source has here, unless a later option says more.
        set(assembler ${PART_SOURCES})
        list(FILTER assembler INCLUDE REGEX "[.]S$")
        set_source_files_properties(${assembler} PROPERTIES LANGUAGE C
                                    COMPILE_OPTIONS "-x;assembler-with-cpp")
    endif()
    add_library(${name} OBJECT EXCLUDE_FROM_ALL ${PART_SOURCES})
    set_target_properties(${name} PROPERTIES C_STANDARD 11 C_STANDARD_REQUIRED ON C_EXTENSIONS ON
                          CXX_STANDARD 17 CXX_STANDARD_REQUIRED ON UNITY_BUILD OFF
                          C_CLANG_TIDY "" C_CPPCHECK "" C_CPPLINT "" C_INCLUDE_WHAT_YOU_USE "")
    corral_drop_definitions(${name} ${PART_DEFINES})
    # In front of the folders of a project: it may have another copy of the same library.
    target_include_directories(${name} BEFORE PRIVATE ${PART_INCLUDES} ${CORRAL_INCLUDES})
    target_compile_definitions(${name} PRIVATE ${PART_DEFINES})
    target_compile_options(${name} PRIVATE ${CORRAL_CODE_FLAGS} ${PART_OPTIONS})
    set_property(GLOBAL APPEND PROPERTY ${CORRAL_PREFIX}_${CORRAL_SIDE}IMAGE
                 $<TARGET_OBJECTS:${name}>)
    if(PART_LIBRARY)
        set_property(GLOBAL APPEND PROPERTY ${CORRAL_PREFIX}_LIBRARY $<TARGET_OBJECTS:${name}>)
        set_property(GLOBAL APPEND PROPERTY ${CORRAL_PREFIX}_LIBRARY_TARGETS ${name})
    endif()
endfunction()

# corral_drop_definitions(TARGET DEFINITIONS...): those of the project that have the same names.
function(corral_drop_definitions target)
    get_target_property(theirs ${target} COMPILE_DEFINITIONS)
    if(NOT theirs)
        return()
    endif()
    foreach(definition IN LISTS ARGN)
        string(REGEX REPLACE "=.*" "" macro "${definition}")
        list(FILTER theirs EXCLUDE REGEX "^(-D)?${macro}(=|$)")
    endforeach()
    set_property(TARGET ${target} PROPERTY COMPILE_DEFINITIONS "${theirs}")
endfunction()

# corral_first(VARIABLE): options that put the header CORRAL_CORE_FIRST in front, if there is one.
function(corral_first variable)
    set(first "")
    if(CORRAL_CORE_FIRST)
        set(first -include ${CORRAL_CORE_FIRST})
    endif()
    set(${variable} "${first}" PARENT_SCOPE)
endfunction()

# corral_together(VARIABLE PART): instead of the sources of CORRAL_APART in that list the files of
# CORRAL_TOGETHER_PART, which include those of them that are the part's
# (tools/corral/build/together.py).
function(corral_together variable part)
    set(sources ${${variable}})
    if(CORRAL_TOGETHER_${part})
        list(REMOVE_ITEM sources ${CORRAL_APART})
    endif()
    set(${variable} ${sources} ${CORRAL_TOGETHER_${part}} PARENT_SCOPE)
endfunction()

# corral_core(SOURCES...): the core of the library and what is generated for it.
function(corral_core)
    corral_first(first)
    set(sources ${ARGN})
    corral_together(sources core)
    corral_part(core LIBRARY SOURCES ${sources} OPTIONS ${CORRAL_OWN_FLAGS} ${first})
    set_target_properties(${CORRAL_PREFIX}_core PROPERTIES C_EXTENSIONS OFF)
    corral_share_own(${CORRAL_PREFIX}_core)
    # The symbol that all objects ask for must be an object's: what asks for it is assembler, which
    # the linker sees only after link-time optimisation, too late to look into optimised code.
    set_source_files_properties(${CORRAL_GEN}/configuration.c PROPERTIES
                                COMPILE_OPTIONS "${CORRAL_NO_LTO}")
endfunction()

# corral_share_objects(TARGET): builds of the tests compile much the same of it, so that a compiler
# cache (CMAKE_C_COMPILER_LAUNCHER) has it.
function(corral_share_objects target)
    if(TARGET ${target} AND CORRAL_TESTING)
        # Otherwise each asks the linker for the fingerprint of its own configuration.
        target_compile_definitions(${target} PRIVATE CORRAL_SHARED_OBJECT)
    endif()
endfunction()

# corral_share_own(TARGET): the same of our own sources in an image of ours. They keep the
# fingerprint of their configuration, so the builds that have the same one share them. Others differ
# in a header: ccache would preprocess in vain, and its list of results would grow too long.
function(corral_share_own target)
    if(TARGET ${target} AND CORRAL_IMAGE AND CMAKE_C_COMPILER_LAUNCHER MATCHES "ccache$")
        set(launcher env CCACHE_DEPEND=1 CCACHE_EXTRAFILES=${CORRAL_GEN}/configuration.c
            ${CMAKE_C_COMPILER_LAUNCHER})
        set_target_properties(${target} PROPERTIES C_COMPILER_LAUNCHER "${launcher}")
    endif()
endfunction()

# corral_wall(SOURCES...): the trusted side of the wall; it calls the core. What the linker makes of
# entries of the secure world it knows of objects alone, and link-time optimisation sees no names in
# assembler.
function(corral_wall)
    corral_first(first)
    set(entries "")
    set(access ${CORRAL_ROOT}/wall/loopback)
    if(CORRAL_TRANSPORT)
        set(entries ${CORRAL_NO_LTO})
        set(access ${CORRAL_ROOT}/wall/${CORRAL_TRANSPORT}/trusted)
    endif()
    if(CORRAL_TRANSPORT STREQUAL "trustzone")
        list(APPEND entries -mcmse)
    endif()
    corral_part(wall LIBRARY SOURCES ${ARGN} INCLUDES ${CORRAL_ROOT} ${access}
                OPTIONS ${CORRAL_OWN_FLAGS} ${first} ${entries})
    set_target_properties(${CORRAL_PREFIX}_wall PROPERTIES C_EXTENSIONS OFF)
    # Each call goes through it, in an order that -Os does not care for.
    set_source_files_properties(${CORRAL_ROOT}/wall/trusted/serve.c PROPERTIES
                                COMPILE_OPTIONS $<$<CONFIG:MinSizeRel>:-O2>)
    corral_share_own(${CORRAL_PREFIX}_wall)
endfunction()

# corral_begin_client(): what follows is of another image than what was before, that of the
# application, with a port of its own.
macro(corral_begin_client)
    set(CORRAL_SIDE CLIENT_)
endmacro()

# corral_client(SOURCES...): the client's side of the wall, whose operations are handles.
function(corral_client)
    corral_part(client LIBRARY SOURCES ${ARGN} INCLUDES ${CORRAL_CLIENT_INCLUDES} ${CORRAL_ROOT}
                OPTIONS ${CORRAL_OWN_FLAGS})
    set_target_properties(${CORRAL_PREFIX}_client PROPERTIES C_EXTENSIONS OFF)
    corral_share_own(${CORRAL_PREFIX}_client)
endfunction()

# corral_remote(SOURCES...): by what this image's core reaches the trusted side: functions and
# messages of the build that made that side, in CORRAL_BEHIND, and not of this one's configuration.
function(corral_remote)
    set(gen ${CORRAL_BEHIND}/gen)
    corral_part(remote LIBRARY SOURCES ${ARGN} ${gen}/wall/remote.c ${gen}/configuration.c
                INCLUDES ${gen}/remote ${gen} ${CORRAL_ROOT} OPTIONS ${CORRAL_OWN_FLAGS})
    set_target_properties(${CORRAL_PREFIX}_remote PROPERTIES C_EXTENSIONS OFF)
    set_source_files_properties(${gen}/configuration.c PROPERTIES
                                COMPILE_OPTIONS "${CORRAL_NO_LTO}")
endfunction()

# corral_port(NAME SOURCES... [DEFINES ...]): start-up, clock, entropy, bus of boards. In an image
# of ours the port of its board; elsewhere whoever links it compiles it, and the first library's has
# a short name.
function(corral_port port)
    # Ports outside the tree find <common/flash_model.h> and the like.
    set(arguments SOURCES ${ARGN} INCLUDES ${CORRAL_ROOT}/ports
        OPTIONS ${CORRAL_APP_WARNINGS} ${CORRAL_APP_OPTIONS})
    if(CORRAL_IMAGE)
        string(TOLOWER "${CORRAL_SIDE}" side)
        corral_part(${side}port ${arguments})
        corral_share_objects(${CORRAL_PREFIX}_${side}port)
        return()
    endif()
    corral_part(port_${port} ${arguments})
    string(REGEX REPLACE "^corral_" "corral::" name ${CORRAL_PREFIX})
    add_library(${name}::port::${port} ALIAS ${CORRAL_PREFIX}_port_${port})
    if(NOT TARGET corral::port::${port})
        add_library(corral::port::${port} ALIAS ${CORRAL_PREFIX}_port_${port})
    endif()
endfunction()

# corral_app_languages(LANGUAGES...): those of the application beside C.
macro(corral_app_languages)
    enable_language(${ARGN})
    set(CORRAL_APP_LANGUAGES ${ARGN})
endmacro()

# corral_beside(NAME TREE SOURCES...): a folder of a tree that the application is compiled with. Its
# headers are found from the tree on, also by the application.
macro(corral_beside part tree)
    corral_part(${part} SOURCES ${ARGN} INCLUDES ${CORRAL_CLIENT_INCLUDES} ${tree}
                DEFINES ${CORRAL_APP_DEFINES} OPTIONS ${CORRAL_OWN_FLAGS} ${CORRAL_APP_OPTIONS})
    list(APPEND CORRAL_APP_INCLUDES ${tree})
endmacro()

# corral_beside_package(PART NAME SOURCES ... INCLUDES ...): a package that such a folder is
# compiled with, as its authors left it.
function(corral_beside_package part name)
    cmake_parse_arguments(PACKAGE "" "" "SOURCES;INCLUDES" ${ARGN})
    target_include_directories(${CORRAL_PREFIX}_${part} SYSTEM PRIVATE ${PACKAGE_INCLUDES})
    corral_part(${part}_${name} SOURCES ${PACKAGE_SOURCES} INCLUDES ${PACKAGE_INCLUDES}
                DEFINES ${CORRAL_APP_DEFINES} OPTIONS ${CORRAL_LIBRARY_FLAGS})
    corral_share_objects(${CORRAL_PREFIX}_${part}_${name})
endfunction()

# corral_beside_port(SOURCES ... PACKAGE_SOURCES ... INCLUDES ...): folders of ports/ that the board
# names beside its port, such as an operating system. The application sees their headers.
macro(corral_beside_port)
    cmake_parse_arguments(BESIDE "" "" "SOURCES;PACKAGE_SOURCES;INCLUDES" ${ARGN})
    corral_part(system SOURCES ${BESIDE_SOURCES} INCLUDES ${CORRAL_CLIENT_INCLUDES}
                DEFINES ${CORRAL_APP_DEFINES} OPTIONS ${CORRAL_OWN_FLAGS} ${CORRAL_APP_OPTIONS})
    # A package's headers are not held to our warnings.
    target_include_directories(${CORRAL_PREFIX}_system SYSTEM PRIVATE ${BESIDE_INCLUDES})
    corral_part(system_packages SOURCES ${BESIDE_PACKAGE_SOURCES} INCLUDES ${BESIDE_INCLUDES}
                DEFINES ${CORRAL_APP_DEFINES} OPTIONS ${CORRAL_LIBRARY_FLAGS} ${CORRAL_NO_LTO})
    corral_share_objects(${CORRAL_PREFIX}_system_packages)
    set(CORRAL_SYSTEM_INCLUDES ${BESIDE_INCLUDES})
endmacro()

# corral_app(SOURCES...): the application, which may find out at run time what is not wanted.
function(corral_app)
    corral_part(app SOURCES ${ARGN} ${CORRAL_APP_EXTRA_SOURCES}
                INCLUDES ${CORRAL_CLIENT_INCLUDES} ${CORRAL_APP_INCLUDES}
                DEFINES ${CORRAL_APP_DEFINES} CORRAL_CALL_UNWANTED
                OPTIONS ${CORRAL_APP_WARNINGS} ${CORRAL_APP_OPTIONS})
    if(TARGET ${CORRAL_PREFIX}_app)
        target_include_directories(${CORRAL_PREFIX}_app SYSTEM PRIVATE ${CORRAL_SYSTEM_INCLUDES})
    endif()
    corral_share_own(${CORRAL_PREFIX}_app)
    # What several applications are tested with sees no folder of theirs, so that they share it.
    corral_part(app_shared SOURCES ${CORRAL_APP_SHARED_SOURCES} INCLUDES ${CORRAL_CLIENT_INCLUDES}
                DEFINES ${CORRAL_APP_DEFINES} CORRAL_CALL_UNWANTED
                OPTIONS ${CORRAL_APP_WARNINGS} ${CORRAL_APP_OPTIONS})
    if(TARGET ${CORRAL_PREFIX}_app_shared)
        target_include_directories(${CORRAL_PREFIX}_app_shared SYSTEM PRIVATE
                                   ${CORRAL_SYSTEM_INCLUDES})
    endif()
    corral_share_own(${CORRAL_PREFIX}_app_shared)
endfunction()

# corral_system_libraries(DRIVER MODULES...): libraries of the system that a driver calls, as
# pkg-config describes them.
function(corral_system_libraries driver)
    set(found ${CORRAL_PREFIX}_${driver})
    find_package(PkgConfig QUIET)
    if(PKG_CONFIG_FOUND)
        pkg_check_modules(${found} QUIET IMPORTED_TARGET GLOBAL ${ARGN})
    endif()
    if(NOT ${found}_FOUND)
        list(JOIN ARGN " " modules)
        message(FATAL_ERROR "driver ${driver}: pkg-config does not find these libraries for the "
                            "compiler: ${modules}: install them, or correct PKG_CONFIG_PATH")
    endif()
    foreach(part driver_${driver} library_${driver})
        if(TARGET ${CORRAL_PREFIX}_${part})
            target_link_libraries(${CORRAL_PREFIX}_${part} PRIVATE PkgConfig::${found})
        endif()
    endforeach()
    set_property(GLOBAL APPEND PROPERTY ${CORRAL_PREFIX}_SYSTEM_LIBRARIES PkgConfig::${found})
endfunction()

# corral_driver(NAME n FOLDER f SOURCES ... PACKAGE_SOURCES ... INCLUDES ... DEFINES ...
#               LIBRARIES ...)
# Glue is compiled as strictly as the core; a third-party library as its authors left it. Glue
# overwrites the frames of the library that it calls: inlined into glue by link-time optimisation,
# they would be out of reach (include/corral/stack.h).
function(corral_driver)
    cmake_parse_arguments(DRIVER "" "NAME;FOLDER"
                          "SOURCES;PACKAGE_SOURCES;INCLUDES;DEFINES;LIBRARIES" ${ARGN})
    set(glue ${CORRAL_PREFIX}_driver_${DRIVER_NAME})
    set(library ${CORRAL_PREFIX}_library_${DRIVER_NAME})
    set(includes ${DRIVER_FOLDER} ${CORRAL_INCLUDES})
    if(NOT CORRAL_IMAGE)
        list(APPEND includes ${DRIVER_INCLUDES})
    endif()
    corral_together(DRIVER_SOURCES driver_${DRIVER_NAME})
    corral_part(driver_${DRIVER_NAME} LIBRARY SOURCES ${DRIVER_SOURCES} INCLUDES ${includes}
                DEFINES ${DRIVER_DEFINES} OPTIONS ${CORRAL_GLUE_FLAGS} ${CORRAL_NO_LTO})
    if(TARGET ${glue})
        # A library's headers are not held to our warnings.
        target_include_directories(${glue} SYSTEM PRIVATE ${DRIVER_INCLUDES})
        set_target_properties(${glue} PROPERTIES C_EXTENSIONS OFF)
        corral_share_own(${glue})
    endif()
    corral_part(library_${DRIVER_NAME} LIBRARY SOURCES ${DRIVER_PACKAGE_SOURCES}
                INCLUDES ${DRIVER_INCLUDES} DEFINES ${DRIVER_DEFINES}
                OPTIONS ${CORRAL_LIBRARY_FLAGS})
    corral_share_objects(${library})
    if(DRIVER_LIBRARIES)
        corral_system_libraries(${DRIVER_NAME} ${DRIVER_LIBRARIES})
    endif()
endfunction()
