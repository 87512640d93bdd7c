# SPDX-License-Identifier: Apache-2.0
#
# corral_library(NAME CONFIG file BOARD folder [DRIVERS folders...] [SETTINGS SYMBOL=VALUE...])
#
# The target NAME: PSA Crypto as `file` wants it, for the board of that name or in that folder,
# compiled by the project's own toolchain with its flags. Its port is the project's own, or one of
# ours: link corral::port::posix, too. docs/INTEGRATING.md goes through an example.

function(corral_library name)
    cmake_parse_arguments(PARSE_ARGV 1 LIBRARY "" "CONFIG;BOARD" "DRIVERS;SETTINGS")
    if(NOT LIBRARY_CONFIG OR NOT LIBRARY_BOARD OR LIBRARY_UNPARSED_ARGUMENTS)
        message(FATAL_ERROR "corral_library(NAME CONFIG file BOARD folder [DRIVERS folders...] "
                            "[SETTINGS SYMBOL=VALUE...]): ${LIBRARY_UNPARSED_ARGUMENTS}")
    endif()
    if(NOT CMAKE_C_COMPILE_OBJECT)
        message(FATAL_ERROR "corral_library(): the project has no C: write project(... C) or "
                            "enable_language(C) before it")
    endif()
    set(CORRAL_PREFIX corral_${name})
    set(CORRAL_BUILD ${CMAKE_CURRENT_BINARY_DIR}/corral/${name})
    set(CORRAL_IMAGE "")
    set(CORRAL_TESTING $ENV{CORRAL_TESTING})
    corral_configure_library()
    include(${CORRAL_BUILD}/library.cmake)
    include(${CMAKE_CURRENT_FUNCTION_LIST_DIR}/corral.cmake)
    include(${CORRAL_BUILD}/sources.cmake)
    corral_archive(${name})
endfunction()

# Ask the project's tool what the library consists of, and again when it would say something else.
function(corral_configure_library)
    get_filename_component(config ${LIBRARY_CONFIG} ABSOLUTE)
    set(board ${LIBRARY_BOARD})
    if(EXISTS ${CMAKE_CURRENT_SOURCE_DIR}/${board}/board.toml)
        set(board ${CMAKE_CURRENT_SOURCE_DIR}/${board})
    endif()
    corral_remember_path()
    set(path ${CORRAL_PATH})
    foreach(driver IN LISTS LIBRARY_DRIVERS)
        # The folder that drivers/NAME is in is searched as our own tree is.
        get_filename_component(folder ${driver} ABSOLUTE)
        if(NOT EXISTS ${folder}/driver.json OR NOT folder MATCHES "/drivers/[^/]+$")
            message(FATAL_ERROR "corral_library(): DRIVERS ${driver}: no driver.json, or not in a "
                                "folder drivers/")
        endif()
        get_filename_component(place ${folder}/../.. ABSOLUTE)
        set(path ${place}:${path})
    endforeach()
    set(settings ${LIBRARY_SETTINGS})
    list(TRANSFORM settings PREPEND --set=)
    get_filename_component(root ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/.. ABSOLUTE)
    # Consents to licences as they were given, too; and nothing is installed from inside a build.
    include(${CORRAL_BUILD}/reads.cmake OPTIONAL)
    set(processor ${CMAKE_SYSTEM_PROCESSOR})
    if(CMAKE_SIZEOF_VOID_P EQUAL 4 AND processor MATCHES "^(x86_64|amd64|AMD64)$")
        set(processor i686)
    endif()
    set(environment CORRAL_PATH=${path} CORRAL_INSTALL=0 CORRAL_PROCESSOR=${processor})
    foreach(consent IN LISTS CORRAL_CONSENTS)
        list(APPEND environment ${consent}=1)
    endforeach()
    # What it says is shown as it comes: the first time it fetches what it needs.
    execute_process(COMMAND ${CMAKE_COMMAND} -E env ${environment}
                            ${root}/corral configure ${settings} ${config} ${board} ${CORRAL_BUILD}
                    RESULT_VARIABLE status ERROR_VARIABLE said ECHO_ERROR_VARIABLE)
    if(NOT status EQUAL 0)
        message(FATAL_ERROR "corral_library(): ${said}")
    endif()
    if(said MATCHES "warning:")
        message(WARNING "${said}")
    endif()
    include(${CORRAL_BUILD}/reads.cmake)
    corral_compat(${root})
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${CORRAL_READS})
endfunction()

# corral_compat(ROOT): headers for those who expect more than the specification.
function(corral_compat root)
    if(NOT TARGET corral::compat::mbedtls)
        add_library(corral::compat::mbedtls INTERFACE IMPORTED GLOBAL)
        set_target_properties(corral::compat::mbedtls PROPERTIES
                              INTERFACE_INCLUDE_DIRECTORIES ${root}/compat/mbedtls)
    endif()
endfunction()

# CORRAL_PATH of the environment in which the project was first configured, its folders from where
# that was: CMake configures again from anywhere, and without that environment.
function(corral_remember_path)
    if(DEFINED CACHE{CORRAL_PATH})
        return()
    endif()
    execute_process(COMMAND pwd OUTPUT_VARIABLE here OUTPUT_STRIP_TRAILING_WHITESPACE)
    string(REPLACE ":" ";" folders "$ENV{CORRAL_PATH}")
    set(path "")
    foreach(folder IN LISTS folders)
        get_filename_component(folder "${folder}" ABSOLUTE BASE_DIR "${here}")
        string(APPEND path "${folder}:")
    endforeach()
    set(CORRAL_PATH "${path}"
        CACHE STRING "Folders of boards, ports and drivers, as PATH is written")
endfunction()

# corral_archive(NAME): the objects in an archive. They are one object, in which all names but those
# of exports.txt are local, where compiler and linker can make it, so that the library links beside
# another copy of what it is made of. Where they cannot, or are to optimise at the link, the archive
# has the objects as they are.
function(corral_archive name)
    get_property(objects GLOBAL PROPERTY ${CORRAL_PREFIX}_LIBRARY)
    corral_can_join(can_join)
    if(can_join)
        corral_join(${CORRAL_BUILD}/${name}.o "${objects}")
        set(objects ${CORRAL_BUILD}/${name}.o)
    endif()
    add_library(${name} STATIC ${objects})
    get_property(parts GLOBAL PROPERTY ${CORRAL_PREFIX}_LIBRARY_TARGETS)
    add_dependencies(${name} ${parts}) # which Make needs to be told
    set_target_properties(${name} PROPERTIES LINKER_LANGUAGE C)
    get_property(libraries GLOBAL PROPERTY ${CORRAL_PREFIX}_SYSTEM_LIBRARIES)
    target_link_libraries(${name} INTERFACE ${libraries})
    # Not SYSTEM: another psa/crypto.h among the project's folders would be found first.
    target_include_directories(${name} INTERFACE ${CORRAL_INCLUDES})
endfunction()

function(corral_can_join result)
    set(${result} OFF PARENT_SCOPE)
    string(TOUPPER "${CMAKE_BUILD_TYPE}" type)
    get_directory_property(options COMPILE_OPTIONS)
    set(flags "${CMAKE_C_FLAGS} ${CMAKE_C_FLAGS_${type}} ${options}")
    if(CMAKE_INTERPROCEDURAL_OPTIMIZATION OR CMAKE_INTERPROCEDURAL_OPTIMIZATION_${type} OR
       flags MATCHES "-flto" OR NOT CMAKE_C_COMPILER_ID MATCHES "^(GNU|Clang)$" OR
       NOT CMAKE_OBJCOPY OR NOT CMAKE_EXECUTABLE_FORMAT MATCHES "ELF|^$" OR APPLE OR WIN32 OR
       CMAKE_CONFIGURATION_TYPES) # of which each would be another object
        return()
    endif()
    set(${result} ON PARENT_SCOPE)
endfunction()

# corral_join(FILE OBJECTS): one object of them all, in which every name is local that is not in
# exports.txt, and without what none of these needs.
function(corral_join file objects)
    get_directory_property(options COMPILE_OPTIONS)
    separate_arguments(flags NATIVE_COMMAND "${CMAKE_C_FLAGS}")
    list(APPEND flags ${options})
    # Of the flags those that say for which processor: a linker script is for the program.
    list(TRANSFORM flags REPLACE "^\\$<.*" "")
    string(REGEX REPLACE "(^|;)-target;" "\\1--target=" flags "${flags}")
    list(FILTER flags INCLUDE REGEX "^(-m|--target)")
    list(FILTER flags EXCLUDE REGEX "^-mrelax$") # which is for the program, too
    if(CMAKE_C_COMPILER_TARGET)
        list(APPEND flags --target=${CMAKE_C_COMPILER_TARGET})
    endif()
    set(join ${CMAKE_C_COMPILER} ${flags} -nostdlib -r)
    execute_process(COMMAND ${CMAKE_LINKER} --help OUTPUT_VARIABLE help ERROR_QUIET)
    set(collect "")
    if(help MATCHES "gc-keep-exported")
        set(collect -Wl,--gc-sections,--gc-keep-exported)
    endif()
    add_custom_command(
        OUTPUT ${file}
        COMMAND ${join} -o ${file}.whole ${objects}
        COMMAND ${CMAKE_OBJCOPY} --keep-global-symbols=${CORRAL_BUILD}/exports.txt ${file}.whole
        COMMAND ${join} ${collect} -o ${file} ${file}.whole
        DEPENDS ${objects} ${CORRAL_BUILD}/exports.txt
        COMMENT "Joining the objects of ${CORRAL_PREFIX}"
        COMMAND_EXPAND_LISTS VERBATIM)
    set_source_files_properties(${file} PROPERTIES EXTERNAL_OBJECT ON GENERATED ON)
endfunction()
