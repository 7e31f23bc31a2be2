export const repeat = (text: string, times: number, between = ", ") => Array<string>(times).fill(text).join(between);
export const nested = (depth: number) => "{user: {sessions: ".repeat(depth) + "{}" + "}}".repeat(depth);
/** A condition as wide and deep as the limits allow: ten relations in four levels, and many comparisons. */
export const permitted = (serial: number) =>
  `{_and: [${repeat("{user: {sessions: {}}}", 5)}], _or: [${Array.from({ length: 100 }, (_, index) => `{created_at: {_gt: "20${10 + ((serial + index) % 80)}-01-01"}}`).join(", ")}]}`;

/** Joins all of a user's sessions with each other three times and finds no row. */
export const slowest = `{user: {sessions: {user: {sessions: {id: {_is_null: true}}}}}}`;

let serials = 0;
/** A number that no document has had. */
export const nextSerial = (): number => serials++;

/** A new document each time, which takes long to plan. */
export function slowToPlan(): string {
  const unique = nextSerial();
  const long = `{_or: [${repeat("{id: {_is_null: false}}", 20, " ")}]}`;
  const fields = (count: number, args: string) =>
    Array.from({ length: count }, (_, n) => `f${n}: user_session(${args}) { a${unique}: id }`).join(" ");
  const document = [
    () => fields(50, `where: ${long}, limit: 1`),
    () => fields(4, `where: ${permitted(unique)}, limit: 1`),
    () => fields(50, "limit: 1"),
    () => `user_session { user ${"{ sessions { user ".repeat(1200)}{ id }${" } }".repeat(1200)} }`,
  ][unique % 4]?.();
  return `{ ${document} }`;
}
