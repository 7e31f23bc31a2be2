import type { RequestHandler } from "express";
import type { GraphQLSchema } from "postgraphile/graphql";
import { createAsset, sendAsset, type Asset } from "../../http/asset.ts";
import { printedText } from "../hasura/printed_schema.ts";

/**
 * GET /v1/graphql/schema.graphql: the schema of guests and users, for tools that generate types. Without tables of an
 * application the client package has the same file.
 */
export function sendUserSchema(schema: GraphQLSchema): RequestHandler {
  let asset: Promise<Asset> | undefined;
  return async (request, response) => {
    asset ??= createAsset("text/plain; charset=utf-8", printedText(schema));
    response.set("Cache-Control", "public, max-age=300");
    sendAsset(request, response, await asset);
  };
}
