import { spawn } from "node:child_process";
import { once } from "node:events";
import type { Environment } from "../../config/environment.ts";

export interface Shell {
  /** Types text, as if it were pasted into a terminal. */
  write: (text: string) => void;
  /** The output so far, errors included. */
  output: () => string;
  /** Closes its input and resolves with all that it printed, once it has run everything. */
  end: () => Promise<string>;
  kill: () => void;
}

/** An interactive shell with the given options. */
export function startShell(name: string, options: string[], env: Environment): Shell {
  // A session of its own: an interactive shell would take over the terminal from which the tests run.
  const child = spawn(name, options, { env: { ...process.env, ...env }, detached: true });
  let text = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (text += String(chunk)));
  const closed = once(child, "close");
  return {
    write: (typed) => child.stdin.write(typed),
    output: () => text,
    async end() {
      child.stdin.end();
      await closed;
      return text;
    },
    kill: () => child.kill("SIGKILL"),
  };
}
