/* report/json_tree.c: building a JSON document. */
#include "report/json_tree.h"
#include "base/panic.h"
#include "report/utf8.h"

#include <stdlib.h>
#include <string.h>

static json_value *made(json_value *item) {
  if (!item)
    panic("out of memory while writing JSON");
  return item;
}

json_tree json_tree_make(arena *arena) {
  json_tree t = {.doc = yyjson_mut_doc_new(NULL), .arena = arena};
  if (!t.doc)
    panic("out of memory while writing JSON");
  return t;
}

json_value *json_object(const json_tree *t) {
  return made(yyjson_mut_obj(t->doc));
}

json_value *json_array(const json_tree *t) {
  return made(yyjson_mut_arr(t->doc));
}

json_value *json_null(const json_tree *t) {
  return made(yyjson_mut_null(t->doc));
}

json_value *json_text(const json_tree *t, const char *text) {
  if (!text)
    return json_null(t);
  strbuf valid = strbuf_make(t->arena);
  utf8_put_valid(&valid, text, strlen(text));
  return made(yyjson_mut_str(t->doc, valid.text));
}

json_value *json_number(const json_tree *t, int64_t number) {
  return made(yyjson_mut_sint(t->doc, number));
}

json_value *json_real(const json_tree *t, double number) {
  return made(yyjson_mut_real(t->doc, number));
}

void json_add(const json_tree *t, json_value *object, const char *key,
              json_value *item) {
  if (!yyjson_mut_obj_add_val(t->doc, object, key, made(item)))
    panic("out of memory while writing JSON");
}

void json_append(const json_tree *t, json_value *array, json_value *item) {
  (void)t;
  if (!yyjson_mut_arr_append(array, made(item)))
    panic("out of memory while writing JSON");
}

void json_add_number(const json_tree *t, json_value *object, const char *key,
                     int64_t number, int64_t none) {
  json_add(t, object, key,
           number == none ? json_null(t) : json_number(t, number));
}

void json_tree_write(json_tree *t, json_value *root, strbuf *out) {
  size_t length = 0;
  yyjson_mut_doc_set_root(t->doc, root);
  char *bytes =
      yyjson_mut_write(t->doc, YYJSON_WRITE_PRETTY_TWO_SPACES, &length);
  if (!bytes)
    panic("out of memory while writing JSON");
  strbuf_put_n(out, bytes, length);
  strbuf_putc(out, '\n');
  free(bytes);
  yyjson_mut_doc_free(t->doc);
  t->doc = NULL;
}
