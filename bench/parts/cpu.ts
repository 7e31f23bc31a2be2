import { readFileSync, readdirSync } from "node:fs";

const ticksPerSecond = 100;

/** A file of a process in /proc; empty when the process has ended. Linux only. */
function procFile(pid: number, name: string): string {
  try {
    return readFileSync(`/proc/${pid}/${name}`, "utf8");
  } catch {
    return "";
  }
}

/** The fields of proc(5)'s stat from the third one on, because the second one may contain blanks. */
const statOf = (pid: number) => procFile(pid, "stat").split(") ")[1]?.split(" ") ?? [];

/** CPU time of a process and its reaped children in milliseconds: utime, stime, cutime, cstime. */
function cpuOf(pid: number): number {
  const stat = statOf(pid);
  return ([11, 12, 13, 14].reduce((sum, index) => sum + Number(stat[index] ?? 0), 0) * 1000) / ticksPerSecond;
}

/** The parent of each process that runs. */
const parents = (): Map<number, number> =>
  new Map(
    readdirSync("/proc")
      .filter((name) => /^\d+$/.test(name))
      .map((name) => [Number(name), Number(statOf(Number(name))[1])]),
  );

export const childrenOf = (parent: number): number[] =>
  [...parents()].filter(([, other]) => other === parent).map(([pid]) => pid);

/** CPU time of a process and its descendants in milliseconds. */
export function cpuOfTree(root: number): number {
  const all = parents();
  const isInTree = (pid: number): boolean => pid === root || (all.has(pid) && isInTree(all.get(pid) ?? 0));
  return [...all.keys()].filter(isInTree).reduce((sum, pid) => sum + cpuOf(pid), 0);
}

/** Resident memory of a process in MB; "RssAnon": only what it does not share. */
export const memoryOf = (pid: number, field: "VmRSS" | "RssAnon" = "VmRSS"): number =>
  Math.round(Number(new RegExp(`${field}:\\s+(\\d+) kB`).exec(procFile(pid, "status"))?.[1] ?? 0) / 1024);

/**
 * CPU time of one thread in milliseconds, with the nanosecond resolution of /proc/<pid>/schedstat (the kernel's
 * sched-stats.rst); utime and stime have ticks of 10 ms.
 */
export const preciseCpuOf = (pid: number): number => Number(procFile(pid, "schedstat").split(" ")[0]) / 1e6;
