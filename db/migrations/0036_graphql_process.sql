-- GraphQL runs as a program of its own, which calls some functions as latchkey_graphql.
grant usage on schema api to latchkey_graphql;
