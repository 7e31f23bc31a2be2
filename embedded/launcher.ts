import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";

/** Value of cluster_name, by which a server's command line names its launcher: the process that started PostgreSQL. */
export function clusterName(): string {
  return `latchkey-${process.pid}`;
}

/**
 * Whether the launcher of this server lives. It is the server's parent; when it dies, another process becomes that. So
 * no lock is needed, and a process id that was used again misleads nobody.
 */
export function launcherLives(server: number): boolean {
  const { parent, command } = parentAndCommand(server);
  return command.includes(`cluster_name=latchkey-${parent} `);
}

function parentAndCommand(pid: number): { parent: number; command: string } {
  if (process.platform !== "linux") {
    const output = execFileSync("ps", ["-ww", "-o", "ppid=,command=", "-p", `${pid}`], { encoding: "utf8" });
    return { parent: Number.parseInt(output, 10), command: `${output.trim()} ` };
  }
  // A container may have no ps.
  const parent = /^PPid:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
  return { parent: Number(parent), command: readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ") };
}
