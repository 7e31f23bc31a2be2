import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import type { ZodType } from "zod";
import { documentBlocks } from "../testing/documents/document_blocks.ts";
import { test as serviceTest } from "../testing/fixtures.ts";
import { logIn, newPhone, signUp } from "../testing/service/people.ts";
import { bearer } from "../testing/service/rest_client.ts";
import { runRecipe } from "../testing/documents/run_recipe.ts";

const root = join(import.meta.dirname, "..");

/**
 * The sections of docs/generators.md that each generate a client, and whether what they generate passes
 * exactOptionalPropertyTypes.
 */
const generators = [
  { heading: "openapi-typescript and openapi-fetch", isExact: true },
  { heading: "@hey-api/openapi-ts", isExact: false },
  { heading: "orval", isExact: true },
  { heading: "kubb", isExact: true },
];

/** What the example of a section exports. */
interface Example {
  sendCode: (phone: string) => Promise<number | undefined>;
  signIn: (phone: string, otp: string) => Promise<string>;
}

const example = "example.ts";

/** Fails to compile if a generator typed something as any, or did not narrow the errors by their code. */
const typeCheck = `import { sendCode, signIn } from "./example";

type Same<One, Other> = (<T>() => T extends One ? 1 : 2) extends <T>() => T extends Other ? 1 : 2 ? true : false;
export const same: [
  Same<typeof sendCode, (phone: string) => Promise<number | undefined>>,
  Same<typeof signIn, (phone: string, otp: string) => Promise<string>>,
] = [true, true];
`;

const compilerOptions = {
  target: "es2024",
  lib: ["es2024", "dom", "dom.iterable"],
  types: [],
  noEmit: true,
  module: "esnext",
  moduleResolution: "bundler",
  allowImportingTsExtensions: true,
  strict: true,
  noUncheckedIndexedAccess: true,
  // For the declarations of packages: nothing that is generated is a declaration file.
  skipLibCheck: true,
};

const test = serviceTest
  /**
   * A folder with the example and the generated client of each section, below the checkout so that imports find its
   * packages.
   */
  .extend("folderOf", { scope: "file" }, async ({ service }, { onCleanup }) => {
    mkdirSync(join(root, ".cache"), { recursive: true });
    const folder = mkdtempSync(join(root, ".cache", "generators-"));
    onCleanup(() => rmSync(folder, { recursive: true, force: true }));
    const folderOf = (heading: string) =>
      join(folder, String(generators.findIndex((generator) => generator.heading === heading)));
    await Promise.all(generators.map(({ heading }) => generate(heading, folderOf(heading), service.url)));
    for (const isExact of [true, false]) {
      const own = generators.filter((generator) => generator.isExact === isExact);
      const include = own.map(({ heading }) => folderOf(heading));
      const options = { ...compilerOptions, exactOptionalPropertyTypes: isExact };
      writeFileSync(projectIn(folder, isExact), JSON.stringify({ compilerOptions: options, include }));
    }
    return Object.assign(folderOf, { root: folder });
  });

const projectIn = (folder: string, isExact: boolean): string =>
  join(folder, `tsconfig.${isExact ? "exact" : "strict"}.json`);

/** Writes the files of a section, and runs its command. */
async function generate(heading: string, folder: string, url: string): Promise<void> {
  const blocks = (language: string) =>
    documentBlocks("docs/generators.md", heading, language).map((block) =>
      block.replaceAll("http://localhost:3000", url),
    );
  mkdirSync(folder);
  const [code = ""] = blocks("ts");
  writeFileSync(join(folder, example), code);
  writeFileSync(join(folder, "type_check.ts"), typeCheck);
  for (const config of blocks("js")) {
    const [, name = ""] = /^\/\/ (\S+)/.exec(config) ?? [];
    writeFileSync(join(folder, name), config);
  }
  const [command = ""] = blocks("sh");
  // What is not installed would be fetched.
  await runRecipe(`cd '${folder}'\n${command}`, { npm_config_offline: "true", DO_NOT_TRACK: "1" });
}

test("the clients of all generators pass TypeScript's strict mode", async ({ folderOf }) => {
  const outputs = await Promise.all(
    [true, false].map(async (isExact) => {
      const tsc = join(root, "node_modules/typescript/bin/tsc");
      const child = spawn(process.execPath, [tsc, "-p", projectIn(folderOf.root, isExact)]);
      let output = "";
      child.stdout.on("data", (chunk) => (output += String(chunk)));
      const [code] = (await once(child, "close")) as [number | null];
      return `${output}${code}`;
    }),
  );
  expect(outputs).toEqual(["0", "0"]);
});

test.for(generators)(
  "a client by $heading sends a code, signs in by it, and reads the details of a refusal",
  async ({ heading }, { service, folderOf }) => {
    const { sendCode, signIn } = (await import(join(folderOf(heading), example))) as Example;
    await service.set("OTP_SEND_PER_IDENTIFIER", "1/3600");
    const phone = newPhone();
    const [wait, otp] = await Promise.all([sendCode(phone), service.gateway.nextCode(phone)]);
    expect(wait).toBeUndefined();
    await expect(signIn(phone, otp === "000000" ? "000001" : "000000")).rejects.toThrow("not correct");
    const token = await signIn(phone, otp);
    const caller = await service.client.get("/auth/session", bearer(token));
    expect(caller.body.data).toMatchObject({ phone, user_type: "user" });
    expect(await sendCode(phone)).toBeGreaterThan(3000);
  },
);

test("orval's schemas take an export, with all of its times", async ({ service, folderOf }) => {
  const session = await logIn(service, await signUp(service));
  const { body } = await service.client.get("/auth/account/export", bearer(session.access_token));
  const { ExportAccount200Response: schema } = (await import(join(folderOf("orval"), "latchkey_schemas.ts"))) as {
    ExportAccount200Response: ZodType;
  };
  expect(body.data?.sessions).toHaveLength(2);
  expect(schema.parse(body)).toEqual(body);
});
