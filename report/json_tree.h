/* report/json_tree.h: building a JSON document. Keys stand in the order in
 * which they are added; texts need not be valid UTF-8. */
#ifndef REPORT_JSON_TREE_H
#define REPORT_JSON_TREE_H

#include "base/strbuf.h"

#include <stdbool.h>
#include <yyjson.h>

typedef yyjson_mut_val json_value;

typedef struct json_tree {
  yyjson_mut_doc *doc;
  arena *arena; /* texts, until the document is written */
} json_tree;

json_tree json_tree_make(arena *arena);
json_value *json_object(const json_tree *t);
json_value *json_array(const json_tree *t);
json_value *json_text(const json_tree *t, const char *text); /* or null */
json_value *json_number(const json_tree *t, int64_t number);
json_value *json_real(const json_tree *t, double number);
json_value *json_null(const json_tree *t);
void json_add(const json_tree *t, json_value *object, const char *key,
              json_value *item);
void json_append(const json_tree *t, json_value *array, json_value *item);
/* The number, or null where it is `none`. */
void json_add_number(const json_tree *t, json_value *object, const char *key,
                     int64_t number, int64_t none);
/* Writes the document and frees it. */
void json_tree_write(json_tree *t, json_value *root, strbuf *out);

#endif
