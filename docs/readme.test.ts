import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished } from "vitest";
import { eventually } from "../testing/eventually.ts";
import { test as baseTest } from "../testing/fixtures.ts";
import { isMissing } from "../testing/installed_programs.ts";
import { otherCode } from "../testing/other_code.ts";
import { startShell } from "../testing/shell.ts";
import { temporaryFolder } from "../testing/temporary_folder.ts";

const root = join(import.meta.dirname, "..");
const readme = readFileSync(join(root, "README.md"), "utf8");
const blocks = [...readme.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, block = ""]) => block);
const [startBlock, askBlock, signInBlock, testBlock] = blocks as [string, string, string, string];

/** npm start, on a database that is there already: what it prints, and where it listens. */
const test = baseTest.extend("npmStart", { scope: "file" }, async ({ database }, { onCleanup }) => {
  const child = spawn(process.execPath, [join(root, "start.ts")], {
    env: { PATH: process.env.PATH, ...database.env, PORT: "0" },
  });
  const ended = once(child, "close");
  onCleanup(async () => {
    child.kill("SIGTERM");
    await ended;
  });
  let text = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (text += String(chunk)));
  const url = () => /^Latchkey is listening on (\S+)$/m.exec(text)?.[1];
  await eventually("it listens or ends", () => child.exitCode !== null || url() !== undefined);
  return { output: () => text, url: url() ?? "" };
});

/** A PATH whose date command prints this second: the phone of a run must not depend on how long the run before it took. */
function pathAtSecond(second: number): string {
  const folder = temporaryFolder();
  writeFileSync(join(folder, "date"), `#!/bin/sh\necho ${second}\n`);
  chmodSync(join(folder, "date"), 0o755);
  return `${folder}:${process.env.PATH}`;
}

const shells: [name: string, options: string[]][] = [
  ["dash", ["-i"]],
  ["bash", ["--noprofile", "--norc", "-i"]],
  ["zsh", ["-f", "-i"]],
];
let second = 1_700_000_000;
test.for(shells)(
  "the README's sign-in works when its blocks are pasted into %s, twice within the hour",
  async ([name, options], { npmStart, skip }) => {
    skip(isMissing(name));
    for (let run = 0; run < 2; run++) {
      second += 1;
      const phone = `+1212555${String(second).slice(-4)}`;
      const shell = startShell(name, options, { PATH: pathAtSecond(second) });
      onTestFinished(() => shell.kill());
      // Pastes a block whole, as a reader does.
      const paste = (block: string) => shell.write(block.replace("http://localhost:3000", npmStart.url));
      paste(askBlock);
      const code = () => new RegExp(`SMS to \\${phone}: Your code is (\\d{6})`).exec(npmStart.output())?.[1];
      await eventually(`the code is printed: ${shell.output()}`, () => code() !== undefined);
      if (run === 1) {
        shell.write(`${otherCode(code() ?? "")}\n`);
        paste(signInBlock);
        await eventually("the wrong code is refused", () => shell.output().includes("INVALID_OTP"));
        const askAgain = "printf 'Code: '; read -r CODE";
        expect(readme).toContain(`run \`${askAgain}\` and paste the block again`);
        shell.write(`${askAgain}\n`);
        await eventually("it asks again", () => shell.output().split("Code: ").length > 2);
      }
      shell.write(`${code()}\n`);
      paste(signInBlock);
      const output = await shell.end();
      expect(output, "the registration's response").toMatch(/"userId":"[\da-f-]{36}"/);
      expect(output).toContain('"message":"Phone verified."');
      expect(output).toMatch(
        /\{"data":\{"user_session":\[\{"id":"[^"]+","created_at":"[^"]+","revoked_at":null\}/,
      );
      expect(output).toContain('"message":"Logged out."');
      expect(output).toContain('"code":"SESSION_REVOKED"');
      expect(output).not.toMatch(/command not found|syntax error|parse error/);
    }
  },
);

test("a fourth code for one phone within the hour is refused with a code that the README names", async ({
  npmStart,
}) => {
  const send = async () => {
    const response = await fetch(`${npmStart.url}/api/v1/otp/send`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({
        input: { identifier: "+12125559999", identifierType: "PHONE", purpose: "SIGNUP" },
      }),
    });
    return (await response.json()) as { error?: { code: string; details: Record<string, unknown> } };
  };
  for (let sent = 0; sent < 3; sent++) expect((await send()).error).toBeUndefined();
  const { error } = await send();
  expect(error?.code).toBe("RATE_LIMIT_EXCEEDED");
  expect(error?.details.policy).toBe("OTP_SEND_PER_IDENTIFIER");
  expect(readme).toContain("`RATE_LIMIT_EXCEEDED`");
});

test("no block of the README has what one of the three shells refuses: comments, prompts of bash, arrays", () => {
  expect(blocks).toHaveLength(4);
  for (const block of blocks) {
    expect(block).not.toMatch(/(^|\s)#/m);
    expect(block).not.toMatch(/read\b[^\n]*-p|\[\[|\$'|<\(|<<</);
  }
});

test("the commands that start and test it are npm scripts", () => {
  const { scripts } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
    scripts: Record<string, string>;
  };
  expect([startBlock, testBlock]).toEqual(["npm ci && npm start\n", "npm ci && npm test\n"]);
  expect(Object.keys(scripts)).toEqual(expect.arrayContaining(["start", "test"]));
});

test("the README has 100 lines at most", () => {
  expect(readme.trimEnd().split("\n").length).toBeLessThanOrEqual(100);
});
