import cliProgress from "cli-progress";
import type { Counts } from "./run_import.ts";

export interface Progress {
  update: (counts: Counts) => void;
  /** Prints a line without tearing the bar apart. */
  print: (line: string) => void;
  stop: () => void;
}

interface Options {
  stream: NodeJS.WriteStream;
  /** Size of the file; undefined for standard input, whose length is unknown. */
  totalBytes: number | undefined;
  now?: () => number;
}

/** How often a line of progress is printed without a terminal. */
const lineEveryMs = 5_000;

/** Shows a bar with the remaining time on a terminal, and a line every few seconds elsewhere. */
export function createProgress({ stream, totalBytes, now = () => performance.now() }: Options): Progress {
  return stream.isTTY && totalBytes !== undefined
    ? createBar(stream, totalBytes, now)
    : createProgressLines(stream, now);
}

function createBar(stream: NodeJS.WriteStream, totalBytes: number, now: () => number): Progress {
  const started = now();
  const bars = new cliProgress.MultiBar(
    {
      stream,
      format: "{bar} {percentage} % | {lines} users, {rate}/s | {refused} refused | {eta_formatted} left",
      etaBuffer: 100,
      hideCursor: true,
    },
    cliProgress.Presets.shades_classic,
  );
  const bar = bars.create(totalBytes, 0, { lines: 0, rate: 0, refused: 0 });
  return {
    update: ({ bytesRead, lines, refused }) =>
      bar.update(bytesRead, { lines, refused, rate: perSecond(lines, now() - started) }),
    print: (line) => {
      bars.log(`${line}\n`);
    },
    stop: () => {
      bars.update();
      bars.stop();
    },
  };
}

function createProgressLines(stream: NodeJS.WriteStream, now: () => number): Progress {
  const started = now();
  let printed = started;
  return {
    update: ({ lines, refused }) => {
      if (now() - printed < lineEveryMs) return;
      printed = now();
      stream.write(`${lines} users, ${perSecond(lines, now() - started)}/s, ${refused} refused\n`);
    },
    print: (line) => void stream.write(`${line}\n`),
    stop: () => undefined,
  };
}

export const perSecond = (count: number, elapsedMs: number): number =>
  Math.round((count * 1_000) / Math.max(1, elapsedMs));
