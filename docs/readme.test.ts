import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished } from "vitest";
import { childEnvironment } from "../testing/child_environment.ts";
import { eventually } from "../testing/eventually.ts";
import { test as baseTest } from "../testing/fixtures.ts";
import { isMissing } from "../testing/installed_programs.ts";
import { otherCode } from "../testing/service/other_code.ts";
import { newPhone } from "../testing/service/people.ts";
import { startShell } from "../testing/documents/shell.ts";

const root = join(import.meta.dirname, "..");
const readme = readFileSync(join(root, "README.md"), "utf8");
const blocks = [...readme.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, block = ""]) => block);
const [startBlock, sendBlock, enterBlock, testBlock] = blocks as [string, string, string, string];

/** npm start, on a database that is there already: what it prints, and where it listens. */
const test = baseTest.extend("npmStart", { scope: "file" }, async ({ database }, { onCleanup }) => {
  const child = spawn(process.execPath, [join(root, "start.ts")], {
    env: { ...childEnvironment(), ...database.env, PORT: "0" },
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

const shells: [name: string, options: string[]][] = [
  ["dash", ["-i"]],
  ["bash", ["--noprofile", "--norc", "-i"]],
  ["zsh", ["-f", "-i"]],
];
test.for(shells)(
  "the README's two commands sign up and then log in when they are pasted into %s",
  async ([name, options], { npmStart, skip }) => {
    skip(isMissing(name));
    const phone = newPhone();
    const shell = startShell(name, options, {});
    onTestFinished(() => shell.kill());
    /** Pastes a command as a reader does, who puts in an own number and the code. */
    const paste = (block: string, code = "") =>
      shell.write(
        block.replace("http://localhost:3000", npmStart.url).replace("+12125550123", phone).replace("123456", code),
      );
    const codes = () =>
      [...npmStart.output().matchAll(new RegExp(`SMS to \\${phone}: Your code is (\\d{6})`, "g"))].map(
        ([, code = ""]) => code,
      );
    for (const sent of [1, 2]) {
      paste(sendBlock);
      await eventually(`the code is printed: ${shell.output()}`, () => codes().length === sent);
      const code = codes().at(-1)!;
      if (sent === 1) {
        paste(enterBlock, otherCode(code));
        await eventually("the wrong code is refused", () => shell.output().includes("INVALID_OTP"));
      }
      paste(enterBlock, code);
      await eventually("it signs in", () => shell.output().split(/"access_token":"[^"]+"/).length === sent + 1);
    }
    const output = await shell.end();
    expect([...output.matchAll(/"created":(true|false)/g)].map(([, created]) => created)).toEqual(["true", "false"]);
    expect(output).not.toMatch(/command not found|syntax error|parse error/);
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
        input: { identifier: "+12125559999", identifierType: "PHONE", purpose: "LOGIN" },
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
