# SPDX-License-Identifier: Apache-2.0
#
# The functions that the generated sources.cmake calls. Each adds an object library, so that the
# linker map and nm name the part of the product that every byte and every symbol belongs to.

get_filename_component(CORRAL_ROOT "${CMAKE_CURRENT_LIST_DIR}/.." ABSOLUTE)

set(CORRAL_WARNINGS -Wall -Wextra -Wconversion -Wshadow -Werror)
# Contexts of drivers are handed to libraries as structures of theirs (CORRAL_REPEATS).
set(CORRAL_OWN_FLAGS ${CORRAL_WARNINGS} -Wmissing-prototypes -fno-strict-aliasing)
set(CORRAL_CODE_FLAGS -ffunction-sections -fdata-sections -fstack-usage)

set_property(GLOBAL PROPERTY CORRAL_OBJECTS "")
set_property(GLOBAL PROPERTY CORRAL_LIBRARY_OBJECTS "")
# What every object sees, and all that an application does: no folder of a driver or a library.
set(CORRAL_INCLUDES ${CORRAL_GEN} ${CORRAL_ROOT}/include)

# corral_part(NAME [LIBRARY] SOURCES ... [INCLUDES ...] [DEFINES ...] [OPTIONS ...])
# LIBRARY: belongs to what an application links, not to the board or the application.
function(corral_part name)
    cmake_parse_arguments(PART "LIBRARY" "" "SOURCES;INCLUDES;DEFINES;OPTIONS" ${ARGN})
    if(NOT PART_SOURCES)
        return()
    endif()
    list(REMOVE_DUPLICATES PART_SOURCES)
    add_library(${name} OBJECT ${PART_SOURCES})
    set_target_properties(${name} PROPERTIES C_STANDARD 11 C_STANDARD_REQUIRED ON C_EXTENSIONS ON
                          CXX_STANDARD 17 CXX_STANDARD_REQUIRED ON)
    target_include_directories(${name} PRIVATE ${PART_INCLUDES} ${CORRAL_INCLUDES})
    target_compile_definitions(${name} PRIVATE ${PART_DEFINES})
    target_compile_options(${name} PRIVATE ${CORRAL_CODE_FLAGS} ${PART_OPTIONS})
    set_property(GLOBAL APPEND PROPERTY CORRAL_OBJECTS $<TARGET_OBJECTS:${name}>)
    if(PART_LIBRARY)
        set_property(GLOBAL APPEND PROPERTY CORRAL_LIBRARY_OBJECTS $<TARGET_OBJECTS:${name}>)
    endif()
endfunction()

# corral_core(SOURCES...): the core of the library and what is generated for it, each source behind
# the header CORRAL_CORE_FIRST if there is one.
function(corral_core)
    set(first "")
    if(CORRAL_CORE_FIRST)
        set(first -include ${CORRAL_CORE_FIRST})
    endif()
    corral_part(core LIBRARY SOURCES ${ARGN} OPTIONS ${CORRAL_OWN_FLAGS} ${first})
    set_target_properties(core PROPERTIES C_EXTENSIONS OFF)
    # The symbol that all objects ask for must be an object's: what asks for it is assembler, which
    # the linker sees only after link-time optimisation, too late to look into code that is optimised.
    set_source_files_properties(${CORRAL_GEN}/configuration.c PROPERTIES COMPILE_OPTIONS -fno-lto)
endfunction()

# corral_port(SOURCES...): start-up, clock, entropy, bus of the board.
function(corral_port)
    # Ports outside the tree find <common/flash_model.h> and the like.
    corral_part(port SOURCES ${ARGN} INCLUDES ${CORRAL_ROOT}/ports OPTIONS ${CORRAL_WARNINGS})
endfunction()

# corral_app_languages(LANGUAGES...): those of the application beside C.
macro(corral_app_languages)
    enable_language(${ARGN})
    set(CORRAL_APP_LANGUAGES ${ARGN})
endmacro()

# corral_app(SOURCES...): the application.
function(corral_app)
    corral_part(app SOURCES ${ARGN} ${CORRAL_APP_EXTRA_SOURCES} INCLUDES ${CORRAL_APP_INCLUDES}
                DEFINES ${CORRAL_APP_DEFINES} OPTIONS ${CORRAL_WARNINGS})
endfunction()

# What a third-party library is compiled with: for the tests by shared-object.sh.
set(CORRAL_LIBRARY_LAUNCHER "")
if(CORRAL_SHARED_OBJECTS)
    set(CORRAL_LIBRARY_LAUNCHER ${CMAKE_CURRENT_LIST_DIR}/shared-object.sh ${CORRAL_SHARED_OBJECTS}
        ${CORRAL_BUILD} ${CMAKE_C_COMPILER_ID}-${CMAKE_C_COMPILER_VERSION})
endif()

# corral_driver(NAME n FOLDER f SOURCES ... PACKAGE_SOURCES ... INCLUDES ... DEFINES ...)
# Glue is compiled as strictly as the core; a third-party library as its authors left it.
function(corral_driver)
    cmake_parse_arguments(DRIVER "" "NAME;FOLDER" "SOURCES;PACKAGE_SOURCES;INCLUDES;DEFINES" ${ARGN})
    corral_part(driver_${DRIVER_NAME} LIBRARY SOURCES ${DRIVER_SOURCES}
                INCLUDES ${DRIVER_FOLDER} DEFINES ${DRIVER_DEFINES}
                OPTIONS ${CORRAL_OWN_FLAGS} -fvisibility=hidden)
    if(TARGET driver_${DRIVER_NAME})
        # A library's headers are not held to our warnings.
        target_include_directories(driver_${DRIVER_NAME} SYSTEM PRIVATE ${DRIVER_INCLUDES})
        set_target_properties(driver_${DRIVER_NAME} PROPERTIES C_EXTENSIONS OFF)
    endif()
    corral_part(library_${DRIVER_NAME} LIBRARY SOURCES ${DRIVER_PACKAGE_SOURCES}
                INCLUDES ${DRIVER_INCLUDES} DEFINES ${DRIVER_DEFINES}
                # Libraries do the work of the tests, so they are fast in debug builds too.
                OPTIONS -w -fvisibility=hidden $<$<CONFIG:Debug>:-O2>)
    if(TARGET library_${DRIVER_NAME})
        set_target_properties(library_${DRIVER_NAME} PROPERTIES
                              C_COMPILER_LAUNCHER "${CORRAL_LIBRARY_LAUNCHER}")
    endif()
endfunction()
