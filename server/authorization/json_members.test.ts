import fc from "fast-check";
import { expect, test } from "vitest";
import { jsonMembers } from "./json_members.ts";

const named = (name: string) => (candidate: string) => candidate === name;

/** Names that contain the characters by which the scan finds members. */
const names = fc.oneof(fc.constantFrom("headers", "a", '"', "\\", ":", "{", "}", ",", "\u0000", "é"), fc.string());
const objects = fc.dictionary(names, fc.jsonValue({ maxDepth: 4 }), { maxKeys: 8 });

// JSON.parse is not used as a reference: V8 mistakes the name "\\"" for "\\" after it has parsed that one.
test("a member's source is the text of its value, whatever the white space of the document", () => {
  fc.assert(
    fc.property(objects, fc.constantFrom("", "\t", " \r"), (object, space) => {
      const text = JSON.stringify(object, null, space);
      for (const [name, value] of Object.entries(object)) {
        const written = JSON.stringify(value, null, space).replaceAll("\n", `\n${space}`);
        expect(jsonMembers(text, named(name)).map((source) => source.trim())).toEqual([written]);
      }
      const wanted: string[] = [];
      jsonMembers(text, (name) => wanted.push(name) < 0);
      expect(wanted).toEqual(Object.keys(object));
    }),
  );
});

test("a repeated name is found as often as it is there, escaped or not", () => {
  expect(jsonMembers('{"a":1,"b":[{"a":2}],"\\u0061" : {"a":3} }', named("a"))).toEqual(["1", ' {"a":3} ']);
});

test.each([
  ["nothing", ""],
  ["an array", '[{"a":1}]'],
  ["an array that is malformed", '["a":1]'],
  ["a text", '"a"'],
  ["an object that is cut off", '{"a":1'],
  ["an object that is cut off in a string", '{"a":1,"b":"}'],
  ["an object that is cut off in an escape", '{"a":1,"b":"}\\'],
  ["an object that is closed twice", '{"a":1}}'],
  ["a name without a value", '{"a"}'],
  ["a value for a name", '{"b":"a"}'],
])("%s has no member", (_what, text) => {
  expect(jsonMembers(text, named("a"))).toEqual([]);
});

test("a name with a broken escape ends the scan", () => {
  expect(() => jsonMembers('{"\\x":1,"\\x":1}', named("a"))).toThrow(SyntaxError);
});
