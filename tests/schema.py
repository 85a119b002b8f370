"""A validator for the part of JSON Schema that the schemas in docs/ use.

An unknown keyword is an error, so that nothing goes unchecked in silence.
"""

import re

TYPES = {
    "object": lambda v: isinstance(v, dict),
    "array": lambda v: isinstance(v, list),
    "string": lambda v: isinstance(v, str),
    "integer": lambda v: isinstance(v, int) and not isinstance(v, bool),
    "number": lambda v: isinstance(v, (int, float)) and not isinstance(v, bool),
    "boolean": lambda v: isinstance(v, bool),
    "null": lambda v: v is None,
}
IGNORED = {"$schema", "$id", "$defs", "title", "description"}


def same(a, b):
    return type(a) is type(b) and a == b


def check_object(value, schema, root, at):
    known = schema.get("properties", {})
    for key in schema.get("required", []):
        if key not in value:
            yield f"{at}: {key} is missing"
    for key, item in value.items():
        rest = schema.get("additionalProperties", True)
        if key in known:
            yield from errors(item, known[key], root, f"{at}.{key}")
        elif rest is False:
            yield f"{at}: {key} is not allowed"
        elif rest is not True:
            yield from errors(item, rest, root, f"{at}.{key}")


def check_array(value, schema, root, at):
    if len(value) > schema.get("maxItems", len(value)):
        yield f"{at}: too long"
    for i, item in enumerate(value):
        yield from errors(item, schema.get("items", {}), root, f"{at}[{i}]")


def check_plain(value, schema, at):
    kinds = schema.get("type", [])
    kinds = kinds if isinstance(kinds, list) else [kinds]
    if kinds and not any(TYPES[k](value) for k in kinds):
        yield f"{at}: {value!r} is not of type {kinds}"
    if "const" in schema and not same(value, schema["const"]):
        yield f"{at}: {value!r} is not {schema['const']!r}"
    if "enum" in schema and not any(same(value, e) for e in schema["enum"]):
        yield f"{at}: {value!r} is not one of {schema['enum']}"
    if "pattern" in schema and isinstance(value, str) and not re.search(
            schema["pattern"], value):
        yield f"{at}: {value!r} is not of the form {schema['pattern']}"
    if "minimum" in schema and TYPES["integer"](value) and (
            value < schema["minimum"]):
        yield f"{at}: {value} is less than {schema['minimum']}"


def errors(value, schema, root=None, at="report"):
    """What is wrong with a value, one sentence each."""
    root = root or schema
    known = IGNORED | {
        "type", "const", "enum", "pattern", "minimum", "maxItems", "items",
        "required", "properties", "additionalProperties", "oneOf", "$ref"}
    for keyword in set(schema) - known:
        yield f"{at}: the schema uses {keyword}, which is not checked here"
    if "$ref" in schema:
        target = root
        for step in schema["$ref"].split("/")[1:]:
            target = target[step]
        yield from errors(value, target, root, at)
    if "oneOf" in schema:
        fits = [s for s in schema["oneOf"]
                if not list(errors(value, s, root, at))]
        if len(fits) != 1:
            yield f"{at}: fits {len(fits)} of the alternatives"
    yield from check_plain(value, schema, at)
    if isinstance(value, dict):
        yield from check_object(value, schema, root, at)
    if isinstance(value, list):
        yield from check_array(value, schema, root, at)
