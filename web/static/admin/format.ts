const moment = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "medium" });
const clock = new Intl.DateTimeFormat(undefined, {
  hour: "2-digit",
  minute: "2-digit",
  second: "2-digit",
  hourCycle: "h23",
});
const day = new Intl.DateTimeFormat(undefined, {
  weekday: "long",
  day: "numeric",
  month: "long",
  year: "numeric",
});
const number = new Intl.NumberFormat();
const share = new Intl.NumberFormat(undefined, { style: "percent", maximumFractionDigits: 0 });

export const formatMoment = (at: string): string => moment.format(new Date(at));
export const formatClock = (at: string): string => clock.format(new Date(at));
export const formatDay = (at: string): string => day.format(new Date(at));
export const formatNumber = (value: number): string => number.format(value);
export const formatShare = (part: number, whole: number): string => (whole === 0 ? "–" : share.format(part / whole));

const steps: [seconds: number, unit: string][] = [
  [86_400, "day"],
  [3_600, "hour"],
  [60, "minute"],
];

/** 3600 as "1 hour", 5400 as "90 minutes". */
export function formatSeconds(seconds: number): string {
  const [size, unit] = steps.find(([step]) => seconds >= step && seconds % step === 0) ?? [1, "second"];
  const count = seconds / size;
  return `${formatNumber(count)} ${unit}${count === 1 ? "" : "s"}`;
}

const names = "DisplayNames" in Intl ? new Intl.DisplayNames(undefined, { type: "region" }) : undefined;

/** A country by its name; null are all those that have no row of their own. */
export function formatCountry(code: string | null): string {
  if (code === null) return "Other countries";
  if (code === "001") return "No single country";
  try {
    return names?.of(code) ?? code;
  } catch {
    return code;
  }
}
