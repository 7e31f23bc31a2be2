import { readFileSync, readdirSync } from "node:fs";

const ticksPerSecond = 100;

/** CPU time of a process and its reaped children in milliseconds: utime, stime, cutime, cstime of proc(5). */
function cpuOf(pid: number): number {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
    const ticks = [11, 12, 13, 14].reduce((sum, index) => sum + Number(fields[index]), 0);
    return (ticks * 1000) / ticksPerSecond;
  } catch {
    return 0;
  }
}

/** CPU time of these processes and their descendants in milliseconds. Linux only. */
export function cpuOfTrees(roots: number[]): number {
  const parents = new Map<number, number>();
  for (const name of readdirSync("/proc")) {
    if (!/^\d+$/.test(name)) continue;
    try {
      const fields = readFileSync(`/proc/${name}/stat`, "utf8").split(") ")[1]?.split(" ");
      parents.set(Number(name), Number(fields?.[1]));
    } catch {
      // The process ended after readdirSync.
    }
  }
  const isDescendant = (pid: number): boolean =>
    roots.includes(pid) || (parents.has(pid) && isDescendant(parents.get(pid) ?? 0));
  return [...parents.keys()]
    .filter((pid) => pid > 1 && isDescendant(pid))
    .reduce((sum, pid) => sum + cpuOf(pid), 0);
}

/** Resident memory of a process, in MB. */
export function memoryOf(pid: number): number {
  const line = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, "utf8"));
  return Math.round(Number(line?.[1]) / 1024);
}

/**
 * CPU time of one thread in milliseconds, with the nanosecond resolution of /proc/<pid>/schedstat (the kernel's
 * sched-stats.rst); utime and stime have ticks of 10 ms. Linux only.
 */
export const preciseCpuOf = (pid: number): number =>
  Number(readFileSync(`/proc/${pid}/schedstat`, "utf8").split(" ")[0]) / 1e6;
