import { expect } from "vitest";
import { test } from "../db/fixtures/database_fixtures.ts";
import { documentBlocks, documentSection } from "../testing/documents/document_blocks.ts";

const headings = ['"Who signed in as me?"', '"What did an admin change?"', "Verifying the chains"];

test("the document's statements run", async ({ database }) => {
  await database.query("select private.record_event('admin.acted', gen_random_uuid()) from generate_series(1, 3)");
  const blocks = headings.flatMap((heading) => documentBlocks("docs/events.md", heading, "sql"));
  expect(blocks).toHaveLength(5);
  for (const block of blocks)
    for (const statement of block.split(/;\n+/)) await database.query(statement.replace(/;$/, ""));
});

test("the document names every type of event", async ({ database }) => {
  const section = documentSection("docs/events.md", "Types");
  const rows = await database.query<{ type: string }>("select unnest(private.event_types()) as type");
  expect(rows.map(({ type }) => type).filter((type) => !section.includes(`\`${type}\``))).toEqual([]);
});
