import type { RequestHandler } from "express";
import { readFile } from "node:fs/promises";
import { createAsset, sendAsset, type Asset } from "../../http/asset.ts";
import { schemaFile } from "../hasura/printed_schema.ts";

let asset: Promise<Asset> | undefined;

/**
 * GET /v1/graphql/schema.graphql: the schema of guests and users, for tools that generate types. The client package has
 * the same file.
 */
export const sendUserSchema: RequestHandler = async (request, response) => {
  asset ??= readFile(schemaFile("user")).then((text) => createAsset("text/plain; charset=utf-8", text));
  response.set("Cache-Control", "public, max-age=300");
  sendAsset(request, response, await asset);
};
