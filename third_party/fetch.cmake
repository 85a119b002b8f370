# Brings the archives that requirements.txt names and unpacks them.
#
# An archive counts only when its SHA-256 stands in requirements.txt. The first
# complete folder of these is used:
#   1. TILECHECK_THIRD_PARTY, when set (then no other is tried);
#   2. <build>/third_party/archives;
#   3. the user's cache, ${XDG_CACHE_HOME:-~/.cache}/tilecheck.
# When none is complete, `pip download` fills the cache (or, without a home
# folder, <build>/third_party/archives). Afterwards each archive is unpacked in
# <build>/third_party/<name>.

set(_requirements ${CMAKE_CURRENT_LIST_DIR}/requirements.txt)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${_requirements})

# Sets ${names} to the names in requirements.txt and <name>_hashes for each.
macro(_read_requirements names)
  set(${names})
  file(STRINGS ${_requirements} _lines REGEX "^[A-Za-z]")
  foreach(_line IN LISTS _lines)
    string(REGEX MATCH "^[A-Za-z0-9_-]+" _name "${_line}")
    string(REGEX MATCHALL "sha256:[0-9a-f]+" _hashes "${_line}")
    string(REPLACE "sha256:" "" ${_name}_hashes "${_hashes}")
    list(APPEND ${names} ${_name})
  endforeach()
endmacro()

# Sets ${out} to the archive of a dependency in a folder, or to "".
function(_find_archive out folder name)
  set(${out} "" PARENT_SCOPE)
  string(REPLACE "-" "[-_]" pattern ${name})
  file(GLOB candidates "${folder}/${pattern}-[0-9]*")
  foreach(candidate IN LISTS candidates)
    file(SHA256 ${candidate} hash)
    if(hash IN_LIST ${name}_hashes)
      set(${out} ${candidate} PARENT_SCOPE)
      return()
    endif()
  endforeach()
endfunction()

# Sets ${out} to the names whose archive a folder lacks.
function(_missing_archives out folder names)
  set(missing)
  foreach(name IN LISTS names)
    _find_archive(archive "${folder}" ${name})
    if(NOT archive)
      list(APPEND missing ${name})
    endif()
  endforeach()
  set(${out} "${missing}" PARENT_SCOPE)
endfunction()

# Downloads every archive into a folder; stops with a message on failure.
function(_download folder)
  find_package(Python3 COMPONENTS Interpreter)
  if(NOT Python3_Interpreter_FOUND)
    message(FATAL_ERROR "Python 3 with pip is needed to download tilecheck's "
      "dependencies (Debian: python3 python3-pip). Or set "
      "TILECHECK_THIRD_PARTY to a folder with the archives that "
      "third_party/requirements.txt names.")
  endif()
  message(STATUS "Downloading dependencies to ${folder}")
  set(partial ${folder}/partial)
  file(REMOVE_RECURSE ${partial})
  file(MAKE_DIRECTORY ${partial})
  execute_process(
    COMMAND ${Python3_EXECUTABLE} -m pip download --quiet --no-deps
      --disable-pip-version-check
      --no-binary tree-sitter,tree-sitter-python,tree-sitter-toml,yyjson
      --require-hashes -r ${_requirements} -d ${partial}
    RESULT_VARIABLE status OUTPUT_VARIABLE text ERROR_VARIABLE text)
  if(NOT status EQUAL 0)
    file(REMOVE_RECURSE ${partial})
    message(FATAL_ERROR "Cannot download tilecheck's dependencies:\n${text}\n"
      "Without a network, put the archives that third_party/requirements.txt "
      "names into a folder (pip download on another machine does it) and set "
      "TILECHECK_THIRD_PARTY to that folder.")
  endif()
  file(GLOB archives RELATIVE ${partial} ${partial}/*)
  foreach(archive IN LISTS archives)
    file(RENAME ${partial}/${archive} ${folder}/${archive})
  endforeach()
  file(REMOVE_RECURSE ${partial})
endfunction()

# Sets ${out} to the user's cache folder, or to "" when there can be none.
function(_user_cache out)
  if(DEFINED ENV{XDG_CACHE_HOME} AND IS_ABSOLUTE "$ENV{XDG_CACHE_HOME}")
    set(cache "$ENV{XDG_CACHE_HOME}/tilecheck")
  elseif(DEFINED ENV{HOME} AND IS_DIRECTORY "$ENV{HOME}")
    set(cache "$ENV{HOME}/.cache/tilecheck")
  else()
    set(${out} "" PARENT_SCOPE)
    return()
  endif()
  execute_process(COMMAND ${CMAKE_COMMAND} -E make_directory ${cache}
    RESULT_VARIABLE status OUTPUT_QUIET ERROR_QUIET)
  if(status EQUAL 0)
    execute_process(COMMAND ${CMAKE_COMMAND} -E touch ${cache}/lock
      RESULT_VARIABLE status OUTPUT_QUIET ERROR_QUIET)
  endif()
  if(NOT status EQUAL 0)
    set(cache "")
  endif()
  set(${out} "${cache}" PARENT_SCOPE)
endfunction()

# Sets ${out} to a folder that holds every archive.
function(_archive_folder out names)
  if(TILECHECK_THIRD_PARTY)
    _missing_archives(missing "${TILECHECK_THIRD_PARTY}" "${names}")
    if(missing)
      list(JOIN missing ", " missing)
      message(FATAL_ERROR "TILECHECK_THIRD_PARTY=${TILECHECK_THIRD_PARTY} "
        "lacks the archives of ${missing} with the hashes in "
        "third_party/requirements.txt.")
    endif()
    set(${out} "${TILECHECK_THIRD_PARTY}" PARENT_SCOPE)
    return()
  endif()
  set(own ${CMAKE_BINARY_DIR}/third_party/archives)
  _missing_archives(missing ${own} "${names}")
  if(NOT missing)
    set(${out} ${own} PARENT_SCOPE)
    return()
  endif()
  _user_cache(folder)
  if(folder)
    # Build folders that are configured at the same time download once.
    file(LOCK ${folder}/lock GUARD FUNCTION TIMEOUT 600)
  else()
    set(folder ${own})
    file(MAKE_DIRECTORY ${own})
  endif()
  _missing_archives(missing ${folder} "${names}")
  if(missing)
    _download(${folder})
    _missing_archives(missing ${folder} "${names}")
    if(missing)
      message(FATAL_ERROR "Downloaded, but not found in ${folder}: ${missing}")
    endif()
  endif()
  set(${out} ${folder} PARENT_SCOPE)
endfunction()

# Unpacks one archive in <build>/third_party/<name>, once for each content.
# Sets <name>_DIR to the folder with its files.
function(_unpack archive name)
  set(folder ${CMAKE_BINARY_DIR}/third_party/${name})
  file(SHA256 ${archive} hash)
  set(stamp ${folder}/.unpacked)
  set(done "")
  if(EXISTS ${stamp})
    file(READ ${stamp} done)
  endif()
  if(NOT done STREQUAL hash)
    file(REMOVE_RECURSE ${folder})
    file(ARCHIVE_EXTRACT INPUT ${archive} DESTINATION ${folder})
    # A second 29 MB program that nothing here uses.
    file(GLOB unused ${folder}/z3_solver-*.data)
    if(unused)
      file(REMOVE_RECURSE ${unused})
    endif()
    file(WRITE ${stamp} ${hash})
  endif()
  if(archive MATCHES "[.]tar[.]gz$")
    get_filename_component(stem ${archive} NAME)
    string(REGEX REPLACE "[.]tar[.]gz$" "" stem ${stem})
    string(APPEND folder /${stem})
  endif()
  set(${name}_DIR ${folder} PARENT_SCOPE)
endfunction()

# Sets z3-solver_DIR, tree-sitter_DIR, tree-sitter-python_DIR,
# tree-sitter-toml_DIR and yyjson_DIR.
function(tilecheck_fetch)
  _read_requirements(names)
  _archive_folder(folder "${names}")
  foreach(name IN LISTS names)
    _find_archive(archive "${folder}" ${name})
    _unpack(${archive} ${name})
    set(${name}_DIR ${${name}_DIR} PARENT_SCOPE)
  endforeach()
endfunction()
