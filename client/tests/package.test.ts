import { execFile } from "node:child_process";
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { gzipSync } from "node:zlib";
import { build, type Rolldown } from "vite";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../testing/temporary_folder.ts";

const run = promisify(execFile);
const root = join(import.meta.dirname, "../..");

const consumer = `
import { createLatchkey, memoryTokenStorage, type LatchkeyError } from "@latchkey/client";

const latchkey = createLatchkey({ url: "http://localhost:1", storage: memoryTokenStorage() });
const { data, error } = await latchkey.POST("/auth/login", { body: { phone: "+12125550123", password: "x" } });
if (error?.code === "RATE_LIMIT_EXCEEDED") error.details.retryAfterSeconds.toFixed();
if (data) data.session_id.toUpperCase();
// @ts-expect-error: this route never responds with it
if (error?.code === "OTP_EXPIRED") throw new Error();
// @ts-expect-error: a field is missing
void (() => latchkey.POST("/auth/login", { body: { phone: "+12125550123" } }));
// @ts-expect-error: no such route
void (() => latchkey.GET("/auth/login"));
const session: { id: string } | null = latchkey.session.current;
const code: LatchkeyError["code"] | undefined = error?.code;
const address = await new Promise<string>((resolve) => {
  class Socket {
    static CONNECTING = 0; static OPEN = 1; static CLOSING = 2; static CLOSED = 3;
    constructor(url: string) { resolve(url); }
  }
  const other = createLatchkey({ url: "http://localhost:1", storage: memoryTokenStorage(), webSocket: Socket });
  other.live("subscription { user_session { id } }", () => undefined);
});
console.log(JSON.stringify({ session, code, address }));
`;

/** The declarations that the examples of the two README.md assume. */
const surroundings = `
import { createLatchkey } from "@latchkey/client";
declare const url: string, phone: string, password: string, otp: string, code: string;
declare const session_id: string, authorization: string;
declare const keychain: { get(key: string): Promise<string | null>; set(key: string, value: string | null): Promise<void> };
declare const appState: { addEventListener(name: "change", listener: (state: string) => void): { remove: () => void } };
declare const netInfo: { addEventListener(listener: (state: { isConnected: boolean | null }) => void): () => void };
declare const cookies: { get(name: string): string | null; set(name: string, value: string | null): void };
declare function show(id: string): void;
declare function wait(seconds: number): void;
declare function explain(reason: unknown): void;
declare function offerToRepeat(): void;
declare function apologize(message: string): void;
declare function draw(rows: unknown): void;
declare function showLamp(isConnected: boolean): void;
declare const turnstile: { render: (place: string, options: { sitekey: string; callback: (token: string) => void }) => void };
declare function showSecondStep(factors: ("totp" | "passkey")[]): void;
const latchkey = createLatchkey({ url });
declare const sent: NonNullable<Awaited<ReturnType<typeof latchkey.signInWithCode>>["data"]>;
`;
const readme = readFileSync(join(root, "client/README.md"), "utf8");
const examples = [...`${readme}${readFileSync(join(root, "README.md"), "utf8")}`.matchAll(/```ts\n(.*?)```/gs)].map(
  ([, code = ""], index) => `export async function example${index}() {\n${code.replace(/^import .*$/m, "")}}\n`,
);

test("the packed package works in plain Node, and its types in a strict project", async () => {
  const folder = temporaryFolder();
  // With prepack: the package is built as npm publish would.
  const { stdout } = await run("npm", ["pack", "--json", "--pack-destination", folder], {
    cwd: join(root, "client"),
  });
  const [packed] = JSON.parse(stdout.slice(stdout.indexOf("["))) as {
    filename: string;
    files: { path: string }[];
  }[];
  const paths = packed?.files.map(({ path }) => path) ?? [];
  expect(paths).toEqual(
    expect.arrayContaining(["LICENSE", "README.md", "dist/index.js", "dist/index.d.ts", "schema.graphql"]),
  );
  expect(
    paths.filter((path) => !/^(package\.json|LICENSE|README\.md|schema\.graphql|dist\/\w+(\.d\.ts|\.js))$/.test(path)),
  ).toEqual([]);

  expect(readFileSync(join(root, "client/LICENSE"), "utf8")).toBe(readFileSync(join(root, "LICENSE"), "utf8"));
  // Nothing outside of the package comes with it.
  const targets = [...readme.matchAll(/\]\(([^)]+)\)/g)].map(([, target = ""]) => target);
  expect(targets.filter((target) => !/^(#|https:)/.test(target))).toEqual([]);

  const modules = join(folder, "node_modules");
  mkdirSync(join(modules, "@latchkey"), { recursive: true });
  await run("tar", ["-xzf", join(folder, packed?.filename ?? ""), "-C", folder]);
  symlinkSync(join(folder, "package"), join(modules, "@latchkey/client"));
  const schema = readFileSync(join(folder, "package/schema.graphql"), "utf8");
  expect(schema).toBe(readFileSync(join(root, "graphql/hasura/schema.user.graphql"), "utf8"));
  // Nothing else: yarn 1 does not install graphql, which is a peer dependency of graphql-ws.
  const { dependencies } = JSON.parse(readFileSync(join(folder, "package/package.json"), "utf8")) as {
    dependencies: Record<string, string>;
  };
  expect(Object.keys(dependencies)).toEqual(["@simplewebauthn/browser", "graphql-ws", "idb-keyval"]);
  mkdirSync(join(modules, "@simplewebauthn"));
  for (const name of Object.keys(dependencies)) symlinkSync(join(root, "node_modules", name), join(modules, name));

  writeFileSync(join(folder, "package.json"), '{"type":"module"}');
  writeFileSync(join(folder, "consumer.ts"), consumer);
  expect(examples.length).toBeGreaterThan(11);
  writeFileSync(join(folder, "examples.ts"), surroundings + examples.join(""));
  const options = ["--strict", "--exactOptionalPropertyTypes", "--target", "es2024", "--module", "nodenext"];
  const tsc = join(root, "node_modules/typescript/bin/tsc");
  const compiled = await run(
    process.execPath,
    [tsc, ...options, "--lib", "es2024,dom", "--preserveSymlinks", "consumer.ts", "examples.ts"],
    { cwd: folder },
  ).catch((error: unknown) => error as { stdout: string });
  expect(compiled.stdout).toBe("");
  const result = await run(process.execPath, ["--preserve-symlinks", "consumer.js"], { cwd: folder });
  expect(JSON.parse(result.stdout)).toEqual({
    session: null,
    code: "NETWORK_FAILURE",
    address: "ws://localhost:1/v1/graphql",
  });

  // client/README.md says 8 KB, 3 KB more with the first live query and 4 KB with the first passkey; a bundler like Metro
  // leaves nothing out.
  for (const treeshake of [true, false]) {
    const [first, ...later] = await bundle(folder, treeshake);
    expect(first?.isEntry).toBe(true);
    expect(gzipSync(first?.code ?? "").length).toBeLessThan(8_000);
    expect(later).toHaveLength(2);
    for (const { code } of later)
      expect(gzipSync(code).length).toBeLessThan(code.includes("navigator.credentials") ? 4_000 : 3_500);
  }
});

/**
 * The scripts that a browser downloads from an application that is built in this folder: at first, and with the first
 * live query or passkey.
 */
async function bundle(folder: string, treeshake: boolean): Promise<Rolldown.OutputChunk[]> {
  writeFileSync(
    join(folder, "entry.js"),
    'import { createLatchkey } from "@latchkey/client"; globalThis.latchkey = createLatchkey();',
  );
  const { output } = (await build({
    configFile: false,
    logLevel: "error",
    root: folder,
    resolve: { preserveSymlinks: true },
    build: { write: false, rolldownOptions: { input: join(folder, "entry.js"), treeshake } },
  })) as Rolldown.RolldownOutput;
  return output.filter((file) => file.type === "chunk");
}
