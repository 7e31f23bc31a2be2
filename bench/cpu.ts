import { readFileSync, readdirSync } from "node:fs";

const ticksPerSecond = 100;

/** utime, stime and those of waited-for children, in milliseconds (proc(5)). */
function cpuOf(pid: number): number {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
    const ticks = [11, 12, 13, 14].reduce((sum, index) => sum + Number(fields[index]), 0);
    return (ticks * 1000) / ticksPerSecond;
  } catch {
    return 0;
  }
}

/** CPU time that the given processes and all below them have used, in milliseconds. Linux only. */
export function cpuOfTrees(roots: number[]): number {
  const parents = new Map<number, number>();
  for (const name of readdirSync("/proc")) {
    if (!/^\d+$/.test(name)) continue;
    try {
      const fields = readFileSync(`/proc/${name}/stat`, "utf8").split(") ")[1]?.split(" ");
      parents.set(Number(name), Number(fields?.[1]));
    } catch {
      // It ended between the two looks.
    }
  }
  const below = (pid: number): boolean =>
    roots.includes(pid) || (parents.has(pid) && below(parents.get(pid) ?? 0));
  return [...parents.keys()].filter((pid) => pid > 1 && below(pid)).reduce((sum, pid) => sum + cpuOf(pid), 0);
}

/** Resident memory of a process, in MB. */
export function memoryOf(pid: number): number {
  const line = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, "utf8"));
  return Math.round(Number(line?.[1]) / 1024);
}

/**
 * CPU time that one thread has used, in milliseconds: what utime and stime add up to, in nanoseconds and not in ticks of 10 ms
 * (the kernel's sched-stats.rst). Linux only.
 */
export const preciseCpuOf = (pid: number): number =>
  Number(readFileSync(`/proc/${pid}/schedstat`, "utf8").split(" ")[0]) / 1e6;
