import type { Answer } from "./rest_client.ts";

/** Members that differ in every answer. */
const unique = ["timestamp", "duration", "userId", "otpId", "expiresAt"];

interface VisibleParts {
  status: number;
  /** Names of the headers. */
  names: string[];
  text: string;
}

/** An answer as a client sees it, for the comparison of answers that must not tell one phone or email from another. */
export const visibleParts = (answer: Answer): VisibleParts => partsWithout([], answer);

/** As visibleParts, for answers that hold further members that differ, such as a time to wait. */
export const visiblePartsBut =
  (...members: string[]) =>
  (answer: Answer): VisibleParts =>
    partsWithout(members, answer);

function partsWithout(members: string[], { status, headers, body }: Answer): VisibleParts {
  const hidden = [...unique, ...members];
  const text = JSON.stringify(body, (key, value: unknown) => (hidden.includes(key) ? "…" : value));
  return { status, names: [...headers.keys()].sort(), text };
}
