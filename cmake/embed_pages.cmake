# cmake -DOUTPUT=FILE -DFOLDER=docs/checks -P embed_pages.cmake
#
# Writes a C file that holds the check pages FOLDER/TC*.md, as checks/pages.h
# declares them, in the order of their codes.

file(GLOB pages ${FOLDER}/TC*.md)
list(SORT pages)
set(rows "")
set(count 0)
foreach(page IN LISTS pages)
  get_filename_component(code ${page} NAME_WE)
  file(READ ${page} text)
  string(REPLACE "\\" "\\\\" text "${text}")
  string(REPLACE "\"" "\\\"" text "${text}")
  string(REPLACE "?" "\\?" text "${text}") # no trigraphs
  string(REPLACE "\r" "" text "${text}")
  string(REPLACE "\n" "\\n\"\n     \"" text "${text}")
  string(APPEND rows "    {\"${code}\",\n     \"${text}\"},\n")
  math(EXPR count "${count} + 1")
endforeach()
file(WRITE ${OUTPUT}.new "/* Generated from docs/checks/TC*.md. */
#include \"checks/pages.h\"

const struct check_page check_pages[] = {
${rows}    {0, 0}, /* so that the array is never empty */
};
const size_t check_page_count = ${count};
")
file(RENAME ${OUTPUT}.new ${OUTPUT})
