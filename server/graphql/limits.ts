/** Every bound on a GraphQL request in one place; docs/graphql.md lists them for clients. */

/** Rows of a list whose `limit` is missing or null. */
export const defaultLimit = 100;
export const maxLimit = 1000;

/** Lexical tokens of a document. */
export const maxTokens = 10_000;
/** Brackets inside brackets, of a document and of variables: parsers and validators are recursive. */
export const maxNesting = 64;

export const maxRootFields = 50;
export const maxDepth = 12;
/** The introspection query of the usual clients is 15 deep. */
export const maxIntrospectionDepth = 20;
/** Fields of the operation, those of a fragment counted at each spread. */
export const maxFields = 500;
/** Fields with a selection set: each costs the planner about 1 ms. */
export const maxObjectFields = 60;
/**
 * Fields of one response name × their argument nodes: validation compares the arguments of each pair of them, which
 * is quadratic.
 */
export const maxRepeatedArguments = 50_000;

/** Input objects, lists and scalars of all arguments, counted at each use; values of `_in` apart. */
export const maxArgumentNodes = 500;
/** Values of all `_in` and `_nin` lists. */
export const maxListValues = 1000;
/** Conditions of `where` through a relation. */
export const maxRelationConditions = 10;
/** Relations inside relations in one `where`. */
export const maxRelationLevels = 4;

/** Values that the answer could hold if every list is full: rows × fields. */
export const maxCells = 10_000;
export const maxAnswerBytes = 4_000_000;
