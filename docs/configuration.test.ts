import { globSync, readFileSync, writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { describe, expect } from "vitest";
import { serverConfig } from "../config/config.ts";
import { environmentSchemas } from "../config/variables.ts";
import { readSecretFiles } from "../config/environment.ts";
import { production } from "../testing/service/environments.ts";
import { test } from "../testing/fixtures.ts";
import { documentSection } from "../testing/documents/document_blocks.ts";
import { boldItems, unquoted } from "../testing/documents/markdown.ts";
import { temporaryFolder } from "../testing/temporary_folder.ts";

const root = join(import.meta.dirname, "..");
const document = "docs/configuration.md";

/** What the document says of a variable. */
interface Variable {
  name: string;
  processes: string;
  defaultValue: string;
  valid: string;
  file: string | undefined;
}

const named = (heading: string) =>
  boldItems(documentSection(document, heading)).filter(([name]) => /^[A-Z_]+$/.test(name));
const unreadable = (name: string): never => {
  throw new Error(`${document}: the item of ${name} has another form than the others`);
};

const variables = named("Environment variables").map(([name, text]): Variable => {
  const form = /^ \(([^)]+)\): .+?\.(?: Default: (.+?)\.)? Valid: (.+?)\.(?: Or `(\w+)_FILE`\.)?$/;
  const [, processes = "", defaultValue = "none", valid = "", file] = form.exec(text) ?? unreadable(name);
  return { name, processes: unquoted(processes), defaultValue: unquoted(defaultValue), valid: unquoted(valid), file };
});
/** Those that a test or the embedded PostgreSQL reads without a schema. */
const withoutSchema = new Set(["LATCHKEY_HOME", "LATCHKEY_POSTGRES_BIN", "PGTAP_EXTENSION_DIRECTORY"]);
const ofSchemas = variables.filter(({ name }) => !withoutSchema.has(name));
const namesOf = (process: keyof typeof environmentSchemas) => Object.keys(environmentSchemas[process].shape);
const processes = Object.keys(environmentSchemas) as (keyof typeof environmentSchemas)[];

/** The part of a zod schema's definition that its default and bounds are in. */
interface Definition {
  type: string;
  innerType?: Schema;
  in?: Schema;
  defaultValue?: unknown;
}
interface Schema {
  def: Definition;
  minValue?: number | null;
  maxValue?: number | null;
  options?: string[];
}

/** From a schema through its wrappers to what it checks. */
function layers(schema: Schema): Schema[] {
  const { innerType, in: input } = schema.def;
  const next = innerType ?? (schema.def.type === "pipe" ? input : undefined);
  return next ? [schema, ...layers(next)] : [schema];
}

const shape = new Map(
  processes.flatMap((name) => Object.entries(environmentSchemas[name].shape as Record<string, unknown>)),
);
const layersOf = (name: string) => layers(shape.get(name) as Schema);

describe("docs/configuration.md and the environment", () => {
  test.each(processes)("every variable that the %s reads is in the document, and no other", (process) => {
    const documented = ofSchemas.filter((variable) => variable.processes.split(", ").includes(process));
    expect(documented.map(({ name }) => name).sort()).toEqual(namesOf(process).sort());
  });

  test.each(ofSchemas)("the default of $name is the schema's", ({ name, defaultValue }) => {
    const found = layersOf(name);
    const preset = found.find(({ def }) => def.type === "default")?.def.defaultValue;
    const isOptional = found.some(({ def }) => def.type === "optional");
    if (name === "PASSWORD_POOL_SIZE") {
      expect(preset).toBe(Math.max(2, availableParallelism()));
      expect(defaultValue).toBe("the machine's cores, at least 2");
    } else if (name === "DRAIN_DELAY_MS") {
      expect(defaultValue).toBe("5000 in production, otherwise 0");
      expect(serverConfig(production).DRAIN_DELAY_MS).toBe(5000);
      expect(serverConfig({ ...production, NODE_ENV: "test" }).DRAIN_DELAY_MS).toBe(0);
    } else if (name === "DEMO") {
      expect(defaultValue).toBe("`on`; `off` in production");
      expect(serverConfig(production).DEMO).toBe(false);
      expect(serverConfig({ ...production, NODE_ENV: "test" }).DEMO).toBe(true);
    } else if (isOptional || (Array.isArray(preset) && preset.length === 0)) expect(defaultValue).toBe("none");
    else if (preset === undefined) expect(defaultValue).toContain("required");
    else expect(defaultValue).toBe(String(preset as string | number));
  });

  test.each(ofSchemas)("the valid values of $name are the schema's", ({ name, valid }) => {
    const { minValue, maxValue, options } = layersOf(name).at(-1)!;
    if (typeof minValue === "number") expect(valid).toBe(`${minValue} to ${maxValue}`);
    // A union, one of whose parts is an address.
    if (options && name !== "GRAPHQL_UPSTREAM") expect(valid.split(", ").sort()).toEqual([...options].sort());
    expect(valid).not.toBe("");
  });

  test.each(ofSchemas)("$name may be in a file if the document says so, and only then", ({ name, file }) => {
    const path = join(temporaryFolder(), "secret");
    writeFileSync(path, "from the file\n");
    expect(readSecretFiles({ [`${name}_FILE`]: path })[name]).toBe(file === name ? "from the file" : undefined);
  });

  test("every variable that the programs read past the schemas is in the document", () => {
    const programs = globSync("{config,runtime,server,worker,db,embedded}/**/*.ts", {
      cwd: root,
      exclude: (name) => name.endsWith(".test.ts"),
    });
    const read = programs.flatMap((file) =>
      Array.from(readFileSync(join(root, file), "utf8").matchAll(/\benv\.([A-Z_]+)/g), ([, name = ""]) => name),
    );
    // Set by the program itself for PostGraphile.
    const documented = [...variables.map(({ name }) => name), "GRAPHILE_ENV"];
    expect(read).toContain("LATCHKEY_HOME");
    expect(read.filter((name) => !documented.includes(name))).toEqual([]);
  });
});

describe("docs/configuration.md and the settings", () => {
  test("have the same keys, with the same kinds, defaults and bounds", async ({ database }) => {
    const definitions = await database.query<Record<string, string>>(
      `select key, kind, coalesce(default_value::text, 'none') as default_value,
              coalesce(minimum || ' to ' || maximum, '') as bounds
       from private.setting_definition order by key`,
    );
    const documented = named("Settings")
      .map(([key, text]) => {
        const form = /^ \(([^)]+)\): .+?\.? Default: (.+?)(?:, from (\d+ to \d+))?\.$/;
        const [, kind, default_value = "", bounds = ""] = form.exec(text) ?? unreadable(key);
        return { key, kind, default_value: unquoted(default_value), bounds };
      })
      .sort((one, other) => (one.key < other.key ? -1 : 1));
    expect(documented).toEqual(definitions);
  });

  test("have the same kinds, and a limit's bounds are those that PostgreSQL takes", async ({ database }) => {
    const items = boldItems(documentSection(document, "Settings"));
    const kinds = items.map(([kind]) => kind);
    const [constraint] = await database.query<{ definition: string }>(
      `select pg_get_constraintdef(oid) as definition from pg_constraint where conname = 'setting_definition_kind_is_known'`,
    );
    const known = Array.from(constraint!.definition.matchAll(/'([^']+)'/g), ([, kind = ""]) =>
      kind.replace(/^\^one of .*/, "one of …"),
    );
    expect(kinds).toEqual(expect.arrayContaining(known));
    const limit = items.find(([kind]) => kind === "limit")?.[1] ?? "";
    const [, requests, seconds] = /1 to (\d+) requests in any 1 to (\d+) seconds/.exec(limit) ?? [];
    const fault = async (value: string) =>
      (
        await database.query<{ fault: string | null }>("select private.limit_fault($1::jsonb) as fault", [`"${value}"`])
      )[0]?.fault;
    expect(await fault(`${requests}/${seconds}`)).toBeNull();
    expect(await fault(`${Number(requests) + 1}/${seconds}`)).toContain(`${requests} requests`);
    expect(await fault(`${requests}/${Number(seconds) + 1}`)).toContain(`${seconds} seconds`);
  });
});
