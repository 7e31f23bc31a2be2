/** Our schemas that GraphQL serves; GRAPHQL_SCHEMAS adds the application's. */
export const ownSchemas = ["user", "platform", "settings"];
