import type { Audience, CallerClass } from "./authorization/caller.ts";

/** All limits of a GraphQL request. docs/graphql.md lists them for clients. */

/** Rows of a list whose `limit` is missing or null. */
export const defaultLimit = 100;
export const maxLimit = 1000;

/** Lexical tokens of a document. */
export const maxTokens = 10_000;
/** Lines of a document: graphql-js scans them from the first one to locate each error. */
export const maxLines = 2_000;
/** Characters of a name: a response repeats an alias in each row. */
export const maxNameLength = 128;
/** Nesting of brackets in a document and in variables: parsers and validators are recursive. */
export const maxNesting = 64;

export const maxRootFields = 50;
export const maxDepth = 12;
/** The introspection query of common clients is 15 fields deep. */
export const maxIntrospectionDepth = 20;
/** Fields of the operation. Those of a fragment count at each spread. */
export const maxFields = 500;
/** Operations and fragments: validation compares fragments with each other. */
export const maxDefinitions = 50;
/** Variables of one operation. */
export const maxVariables = 100;
/** Fields with a selection set, in all definitions: planning each takes about 1 ms. */
export const maxObjectFields = 60;
/**
 * Sum over response names: fields of the name × nodes of their arguments. Validation compares the arguments of each
 * pair of these fields, so its time is quadratic.
 */
export const maxRepeatedArguments = 50_000;

/**
 * Input objects, lists and scalars of all arguments, counted at each use. Values of `_in` and `_nin` count separately.
 */
export const maxArgumentNodes = 500;
/**
 * Characters of all strings in arguments, counted at each use: each use sends them to PostgreSQL, which compares them
 * with rows.
 */
export const maxArgumentCharacters = 131_072;
/** Values of all `_in` and `_nin` lists. */
export const maxListValues = 1000;
/** Conditions of `where`, and keys of `order_by`, through a relation. */
export const maxRelationConditions = 10;
/** Nesting of relations in one `where` or `order_by`. */
export const maxRelationLevels = 4;

/** What the lists of a request may hold. */
export interface ListLimits {
  /** Cells (rows × fields) of a response whose lists are all full. The event loop assembles 10,000 in 20 to 40 ms. */
  maxCells: number;
  /** Types of which row-level security shows a caller at most one row: a list without `limit` counts as one row. */
  singleRowTypes: ReadonlySet<string>;
  /** How many rows a mutation is assumed to return, since its list has no `limit`. maxResponseBytes limits it, too. */
  assumedWrittenRows: number;
}

export const listLimits: Record<Audience, ListLimits> = {
  user: { maxCells: 10_000, singleRowTypes: new Set(["user_account"]), assumedWrittenRows: defaultLimit },
  // The admin sees whole tables, so its lists are full.
  admin: { maxCells: 25_000, singleRowTypes: new Set(), assumedWrittenRows: 1 },
};

/**
 * A request above one of these is costly: it does not use the connection that callers share, and a guest's counts
 * against the budget of all guests. Assembling 10,000 cells takes the event loop 30 ms, and ten conditions through
 * relations a core of PostgreSQL as long. A short pattern may take any time.
 */
export const costlyThresholds = { cells: 2_000, nodes: 100, characters: 16_384, relationConditions: 2, patterns: 0 };

/**
 * Milliseconds for one statement of a guest or user, and for all statements of a costly request or mutation of theirs.
 */
export const userStatementMs = 1_000;
/**
 * The connections that each class of callers has of GRAPHQL_POOL_SIZE, at least one: an eighth guests, a quarter users.
 * PostgreSQL may share the machine with this program, and what guests and users keep busy delays sign-in.
 */
export function poolSizes(size: number): Record<CallerClass, number> {
  const guests = Math.max(1, Math.floor(size / 8));
  const users = Math.max(1, Math.floor(size / 4));
  return { guests, users, admin: Math.max(1, size - guests - users) };
}
/** Requests of one principal that may wait for a connection; it uses one at a time. */
export const waitingPerPrincipal = 16;
/** Requests of the admin that may wait. */
export const waitingOfAdmin = 64;

/** Bytes of a response's `data` as JSON. */
export const maxResponseBytes = 4_000_000;
