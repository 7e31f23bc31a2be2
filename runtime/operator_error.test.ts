import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";

test.for(["start.ts", "db/migrate.ts", "server/main.ts", "graphql/main.ts", "worker/main.ts"])(
  "%s refuses arguments, which it would ignore, and does not repeat them",
  async (program) => {
    const run = promisify(execFile)(process.execPath, [program, "--url=postgres://role:s3cret@db"], {
      cwd: join(import.meta.dirname, ".."),
      env: { ...process.env, NODE_ENV: "production" },
    });
    const error = (await run.catch((cause: unknown) => cause)) as { code: number; stdout: string; stderr: string };
    expect(error).toMatchObject({ code: 1 });
    expect(error.stdout + error.stderr).toContain("This program takes no arguments");
    expect(error.stdout + error.stderr).not.toContain("s3cret");
  },
);
