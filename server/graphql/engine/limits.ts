import { availableParallelism } from "node:os";
import type { Audience } from "../../authorization/caller.ts";

/** Every bound on a GraphQL request in one place; docs/graphql.md lists them for clients. */

/** Rows of a list whose `limit` is missing or null. */
export const defaultLimit = 100;
export const maxLimit = 1000;

/** Lexical tokens of a document. */
export const maxTokens = 10_000;
/** Line breaks: an error looks for its place from the first line on. */
export const maxLines = 2_000;
/** Characters of a name: an answer repeats an alias in every row. */
export const maxNameLength = 128;
/** Brackets inside brackets, of a document and of variables: parsers and validators are recursive. */
export const maxNesting = 64;

export const maxRootFields = 50;
export const maxDepth = 12;
/** The introspection query of the usual clients is 15 deep. */
export const maxIntrospectionDepth = 20;
/** Fields of the operation, those of a fragment counted at each spread. */
export const maxFields = 500;
/** Operations and fragments; validation compares fragments with each other. */
export const maxDefinitions = 50;
/** Variables of one operation. */
export const maxVariables = 100;
/** Fields with a selection set: each costs the planner about 1 ms. Those of all definitions count, which validation looks at. */
export const maxObjectFields = 60;
/**
 * Fields of one response name × their argument nodes: validation compares the arguments of each pair of them, which
 * is quadratic.
 */
export const maxRepeatedArguments = 50_000;

/** Input objects, lists and scalars of all arguments, counted at each use; values of `_in` apart. */
export const maxArgumentNodes = 500;
/** Characters of all strings in arguments, counted at each use, each of which PostgreSQL is sent and compares with rows. */
export const maxArgumentCharacters = 131_072;
/** Values of all `_in` and `_nin` lists. */
export const maxListValues = 1000;
/** Conditions of `where` through a relation. */
export const maxRelationConditions = 10;
/** Relations inside relations in one `where`. */
export const maxRelationLevels = 4;

/** What a query's lists may hold, for each audience. */
export interface ListBounds {
  /** Values that the answer could hold if every list is full: rows × fields. 10,000 take the event loop 20 to 40 ms. */
  maxCells: number;
  /** Types of which row-level security shows a caller one row at most: a list without `limit` counts as that. */
  singleRows: ReadonlySet<string>;
  /** Rows that a mutation is taken to return: its list has no limit of its own. The answer's bytes bound them besides. */
  writtenRows: number;
}

/** The admin sees whole tables, so that its lists are full. */
export const listBounds: Record<Audience, ListBounds> = {
  user: { maxCells: 10_000, singleRows: new Set(["user_account"]), writtenRows: defaultLimit },
  admin: { maxCells: 25_000, singleRows: new Set(), writtenRows: 1 },
};

/**
 * Beyond one of these a request is costly, and waits for its turn: putting 10,000 values together takes the event loop 30 ms, and
 * a query with 10 conditions through relations takes a core of PostgreSQL's for as long.
 */
export const costly = { cells: 2_000, nodes: 100, characters: 16_384, relationConditions: 2 };
/**
 * Of guests' and users' costly requests and mutations so many run at once, and so many of one payer run or wait. Each may keep a core
 * of PostgreSQL's busy: where it shares the machine with this server, half of the cores are for everything else.
 */
export const usersCostly = { places: Math.max(1, Math.floor(availableParallelism() / 2)), perPayer: 16 };
/** How long one statement of a guest or user, who has few rows, may take; and all of such a request together, which others wait for. */
export const usersLongestMs = 1_000;
/** What a guest's or user's request takes of the database beyond these milliseconds is charged to its budget. */
export const freeDatabaseMs = { reads: 50, mutations: 20 };
/**
 * Reads alone, at most so many of one payer at once: payers whose reads took more than `heavyMs` lately share a few of the pool's
 * connections, as their reads keep PostgreSQL's cores busy.
 */
export const readsAlone = {
  placesPerPayer: 1,
  heavyPlaces: usersCostly.places,
  heavyMs: 500,
  bounds: { perPayer: 64, inAll: 2_000 },
};
/** Those of the admin, apart: trusted programs share its secret. */
export const adminsCostly = { atOnce: 4, waiting: 64 };

export const maxAnswerBytes = 4_000_000;
