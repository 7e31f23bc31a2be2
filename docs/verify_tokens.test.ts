import jwt from "jsonwebtoken";
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { expect } from "vitest";
import { z } from "zod";
import { parseSigningKeys } from "../config/secrets/signing_keys.ts";
import { documentBlocks } from "../testing/documents/document_blocks.ts";
import { test as baseTest } from "../testing/fixtures.ts";
import { foreign, isForeignMissing, runForeign } from "../testing/foreign/run_foreign.ts";
import { logIn, signUp } from "../testing/service/people.ts";
import { createJwk, createSigningKey } from "../testing/service/test_keys.ts";

const below = join(foreign, ".cache");
const documented = "https://auth.example.com";
const signingKeys = JSON.stringify({ keys: [createJwk("one")] });
const [key] = z.string().transform(parseSigningKeys).parse(signingKeys);

/** Reads tokens from its input, a line each, and prints of each whether the recipe accepts it. */
const harnesses = {
  js: `import { createInterface } from "node:readline";
import { verify } from "./recipe.mjs";
for await (const token of createInterface({ input: process.stdin }))
  console.log(await Promise.resolve().then(() => verify(token)).then((claims) => claims.sub, () => "refused"));
process.exit();
`,
  express: `import { createInterface } from "node:readline";
import { app } from "./recipe.mjs";
const server = app.listen(0, "127.0.0.1", async () => {
  for await (const token of createInterface({ input: process.stdin })) {
    const headers = { authorization: "Bearer " + token };
    const answer = await fetch("http://127.0.0.1:" + server.address().port, { headers });
    console.log(answer.ok ? (await answer.json()).sub : "refused");
  }
  process.exit();
});
app.use((error, request, response, next) => response.status(error.status ?? 500).end());
`,
  python: `import sys
from recipe import verify
for line in sys.stdin:
    try:
        print(verify(line.strip())["sub"])
    except Exception:
        print("refused")
`,
  go: `package main

import (
	"bufio"
	"fmt"
	"os"
)

func main() {
	keys, err := fetchKeys()
	if err != nil {
		panic(err)
	}
	for lines := bufio.NewScanner(os.Stdin); lines.Scan(); {
		if claims, err := verify(lines.Text(), keys); err == nil {
			fmt.Println(claims["sub"])
		} else {
			fmt.Println("refused")
		}
	}
}
`,
};

interface Recipe {
  heading: string;
  language: "js" | "python" | "go";
  harness: keyof typeof harnesses;
  command: (folder: string) => [string, string[], NodeJS.ProcessEnv?];
  isMissing: () => boolean;
}

const byNode = (folder: string): [string, string[]] => [process.execPath, [join(folder, "harness.mjs")]];
/** Debian's, because another Python has other packages. */
const python = "/usr/bin/python3";
const goSources = "/usr/share/gocode";

function fails(program: string, ...options: string[]): boolean {
  const failed = spawnSync(program, options).status !== 0;
  if (failed && process.env.CI) throw new Error(`${program} ${options.join(" ")} fails: a package is not installed`);
  return failed;
}

const recipes: Recipe[] = [
  ...["Node: jose", "Node: jsonwebtoken", "Node: fast-jwt"].map((heading): Recipe => ({
    heading,
    language: "js",
    harness: "js",
    command: byNode,
    isMissing: isForeignMissing,
  })),
  { heading: "Express", language: "js", harness: "express", command: byNode, isMissing: isForeignMissing },
  {
    heading: "Python",
    language: "python",
    harness: "python",
    command: (folder) => [python, [join(folder, "harness.py")]],
    isMissing: () => fails(python, "-c", "import jwt, cryptography"),
  },
  {
    heading: "Go",
    language: "go",
    harness: "go",
    command: (folder) => [
      "go",
      ["run", join(folder, "recipe.go"), join(folder, "harness.go")],
      { GO111MODULE: "off", GOPATH: goSources, GOCACHE: join(folder, "cache"), GOFLAGS: "-p=1" },
    ],
    isMissing: () => fails("go", "version") || fails("ls", `${goSources}/src/github.com/golang-jwt/jwt`),
  },
];

/** `issuer` is an address that leads to the service: the service is told it before it listens. */
const test = baseTest
  .extend("forward", { scope: "file" }, async ({}, { onCleanup }) => {
    const target = { url: "" };
    const server = createServer((request, response) => {
      void fetch(target.url + (request.url ?? "")).then(async (answer) => {
        response.writeHead(answer.status, { "content-type": "application/json" }).end(await answer.text());
      });
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    onCleanup(() => void server.close());
    return { target, issuer: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
  })
  .extend("serviceOptions", { scope: "file" }, ({ forward }) => ({
    env: { JWT_ISSUER: forward.issuer, JWT_KEYS: signingKeys },
  }))
  .extend("tokens", { scope: "file" }, async ({ service, forward }) => {
    forward.target.url = service.url;
    const { access_token: good, refresh_token } = await logIn(service, await signUp(service));
    const claims = jwt.decode(good, { json: true }) ?? {};
    const sign = (changes: object, header: object = {}, signer = key!.privateKey) =>
      jwt.sign(JSON.parse(JSON.stringify({ ...claims, ...changes })) as object, signer, {
        algorithm: "ES256",
        header: { alg: "ES256", typ: "at+jwt", kid: "one", ...header },
      });
    const unsigned = (header: object) =>
      [header, claims].map((part) => Buffer.from(JSON.stringify(part)).toString("base64url")).join(".") + ".";
    return {
      sub: String(claims.sub),
      accepted: [good, sign({})],
      refused: [
        refresh_token,
        sign({ aud: forward.issuer }),
        sign({ aud: "another" }),
        sign({ aud: undefined }),
        sign({ iss: "https://another.example.com" }),
        sign({ iss: undefined }),
        sign({ exp: Math.floor(Date.now() / 1000) - 3600 }),
        sign({ exp: undefined }),
        sign({}, { typ: "JWT" }),
        sign({}, { kid: "two" }),
        sign({}, {}, createSigningKey("one").privateKey),
        unsigned({ alg: "none", typ: "at+jwt", kid: "one" }),
        "nonsense",
      ],
    };
  })
  .extend("folder", ({}, { onCleanup }) => {
    // Below the checkout, so that imports find its packages.
    mkdirSync(below, { recursive: true });
    const folder = mkdtempSync(join(below, "recipe-"));
    onCleanup(() => rmSync(folder, { recursive: true, force: true }));
    return folder;
  });

const extensions = { js: "mjs", python: "py", go: "go" };

test.for(recipes)(
  "$heading: the recipe accepts access tokens and refuses everything else",
  async ({ heading, language, harness, command, isMissing }, { tokens, forward, folder, skip }) => {
    skip(isMissing(), "its language or library is not installed");
    const [recipe = ""] = documentBlocks("docs/verify-tokens.md", heading, language);
    writeFileSync(join(folder, `recipe.${extensions[language]}`), recipe.replaceAll(documented, forward.issuer));
    writeFileSync(join(folder, `harness.${extensions[language]}`), harnesses[harness]);
    const [program, options, env = {}] = command(folder);
    const input = [...tokens.accepted, ...tokens.refused].join("\n") + "\n";
    const lines = await runForeign(program, options, { env, input });
    expect(lines).toEqual([...tokens.accepted.map(() => tokens.sub), ...tokens.refused.map(() => "refused")]);
  },
);
