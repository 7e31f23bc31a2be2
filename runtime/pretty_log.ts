import type { DestinationStream } from "pino";

const levels = new Map([
  [10, "TRACE"],
  [20, "DEBUG"],
  [30, "INFO"],
  [40, "WARN"],
  [50, "ERROR"],
  [60, "FATAL"],
]);

/** A value of one line without control characters: what a client chose could otherwise rewrite the terminal. */
function shown(value: unknown): string {
  if (typeof value === "string" && /^[\w.:/@+…{}*-]+$/.test(value)) return value;
  return JSON.stringify(value).replaceAll(
    /[\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2066-\u2069]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/** One line of the log as a person reads it: time, level, process, message, and the fields as name=value. */
export function prettyLine(line: string): string {
  const { time, level, name, msg, ...fields } = JSON.parse(line) as Record<string, unknown>;
  const words = [
    String(time).slice(11, 23),
    (levels.get(Number(level)) ?? String(level)).padEnd(5),
    String(name).padEnd(8),
    typeof msg === "string" && /^[\x20-\x7e…]*$/.test(msg) ? msg : shown(msg ?? ""),
    ...Object.entries(fields)
      .filter(([field]) => field !== "pid" && field !== "hostname")
      .map(([field, value]) => `${field}=${shown(value)}`),
  ];
  return `${words.join(" ")}\n`;
}

/** Writes the lines of a log for people (LOG_FORMAT=pretty). */
export const prettyDestination = (output: DestinationStream): DestinationStream => ({
  write: (line) => output.write(prettyLine(line)),
});
