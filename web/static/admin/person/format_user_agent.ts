const browsers: [RegExp, string][] = [
  [/Edg\//, "Edge"],
  [/OPR\//, "Opera"],
  [/Firefox\//, "Firefox"],
  [/Chrome\//, "Chrome"],
  [/Safari\//, "Safari"],
  [/okhttp/i, "an Android app"],
  [/CFNetwork|Darwin/, "an iOS app"],
];
const systems: [RegExp, string][] = [
  [/iPhone|iPad/, "iOS"],
  [/Android/, "Android"],
  [/Windows/, "Windows"],
  [/Mac OS X/, "macOS"],
  [/Linux/, "Linux"],
];

const find = (list: [RegExp, string][], text: string) => list.find(([pattern]) => pattern.test(text))?.[1];

/** "Firefox on Windows"; an unknown one is returned unchanged. */
export function formatUserAgent(text: string | null): string {
  if (text === null) return "unknown program";
  const browser = find(browsers, text);
  const system = find(systems, text);
  if (browser && system) return `${browser} on ${system}`;
  return browser ?? text.slice(0, 60);
}
