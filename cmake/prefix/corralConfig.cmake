# SPDX-License-Identifier: Apache-2.0
#
# find_package(corral): corral_library() where `./corral install` was run for this prefix, the
# targets corral::corral and corral::port::NAME where `./corral library` was.

get_filename_component(_corral_prefix "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)
include("${_corral_prefix}/share/corral/cmake/library.cmake" OPTIONAL)
include("${CMAKE_CURRENT_LIST_DIR}/corralTargets.cmake" OPTIONAL)
