/** One document of Hasura's dialect, with its line of the table in docs/graphql.md. */
export interface Case {
  /** The construct, as the table names it. */
  line: string;
  document: string;
  variables?: Record<string, unknown>;
  /** Who sends it; default: the user whose rows these are. */
  as?: "admin" | "guest";
  /** The response's data, or a code of an error. */
  expected: object | string;
}

/** Documents of one construct. */
export const cases = (
  line: string,
  ...documents: [document: string, expected: object | string, more?: Partial<Case>][]
): Case[] => documents.map(([document, expected, more]) => ({ line, document, expected, ...more }));

/** A list of notes by their bodies. */
export const notes = (...bodies: string[]): object => ({ note: bodies.map((body) => ({ body })) });

export const where = (condition: string): string => `{ note(where: ${condition}, order_by: { body: asc }) { body } }`;
