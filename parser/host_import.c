/* parser/host_import.c: functions and constants of the project's other files,
 * executed and evaluated where they stand. */
#include "parser/host_state.h"

#include "parser/project.h"

host_visit host_enter_file(host_run *r, const file_names *names, node call) {
  host_visit before = {r->syntax, r->names, r->outside};
  if (!names)
    names = r->host->names;
  if (names != r->host->names && !r->outside.line)
    r->outside = node_span(r->syntax, call);
  if (names == r->host->names)
    r->outside = (span){0};
  r->names = names;
  r->syntax = names->syntax;
  return before;
}

void host_leave_file(host_run *r, host_visit before) {
  r->syntax = before.syntax;
  r->names = before.names;
  r->outside = before.outside;
}

const file_function *host_known_function(const host_run *r, host_value v) {
  if (v.kind != HOST_FUNCTION)
    return NULL;
  return names_function_at(v.names ? v.names : r->host->names, v.where);
}

/* Sound: the names of a module are bound once (parser/project.h), and a file
 * means what it says wherever it is imported. Recorded runs show the code of
 * one file only. */
bool host_imported(host_run *r, node at, const char *full, host_value *out) {
  if (r->record || full[0] == '?')
    return false;
  found_name f = project_find(r->names, full);
  if (f.kind == FOUND_FUNCTION) {
    *out = (host_value){.kind = HOST_FUNCTION,
                        .where = f.function->definition,
                        .names = f.names};
    return true;
  }
  if (f.kind != FOUND_VALUE || r->depth >= HOST_DEPTH)
    return false;
  host_visit before = host_enter_file(r, f.names, at);
  r->depth++;
  *out = host_module_constant(r, f.value, NULL);
  r->depth--;
  host_leave_file(r, before);
  return true;
}
