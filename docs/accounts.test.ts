import { expect } from "vitest";
import { documentBlocks } from "../testing/document_blocks.ts";
import { test } from "../testing/fixtures.ts";
import { logIn, signUp } from "../testing/people.ts";
import { runRecipe } from "../testing/run_recipe.ts";

const commandsOf = (heading: string): string[] => documentBlocks("docs/accounts.md", heading, "sh");

interface Answer {
  data: Record<string, unknown>;
}

test("the commands for the account's end export, delete and restore an account", async ({ service }) => {
  const person = await signUp(service);
  const { access_token } = await logIn(service, person);
  const env = { API: service.url, ACCESS: access_token, PHONE: person.phone, PASSWORD: person.password };
  const run = async (command = ""): Promise<Answer> => JSON.parse(await runRecipe(command, env)) as Answer;

  const [exportCommand] = commandsOf("Exporting");
  expect((await run(exportCommand)).data).toMatchObject({ account: { phone: person.phone }, shortened: [] });
  const [deleteCommand, loginCommand] = commandsOf("Deleting, and undoing it");
  expect((await run(deleteCommand)).data).toEqual({ deletion_due_at: expect.any(String) as unknown });
  expect((await run(loginCommand)).data).toMatchObject({ restored: true });
});
