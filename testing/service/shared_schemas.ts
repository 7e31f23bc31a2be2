import type { Audience } from "../../graphql/authorization/caller.ts";
import { createAudienceSchema, type AudienceSchema } from "../../graphql/hasura/preset.ts";
import type { CreateSchema } from "../../graphql/engine/engines.ts";

const schemas = new Map<Audience, Promise<AudienceSchema>>();

/**
 * Creates GraphQL's schemas once in a test process: they depend on what all migrated databases have in common, and on
 * no pool. A test that changes tables, functions or grants creates its own.
 */
export const shareSchema: CreateSchema = (pool, audience, application) => {
  if (application.schemas.length > 0) return createAudienceSchema(pool, audience, application);
  const schema = schemas.get(audience) ?? createAudienceSchema(pool, audience, application);
  schemas.set(audience, schema);
  // The next service tries again.
  schema.catch(() => schemas.delete(audience));
  return schema;
};
