import { html } from "htm/preact";
import { useState } from "preact/hooks";
import { Accounts } from "./account_table.ts";
import { newestAccounts } from "../documents/find_documents.ts";
import { Answer, Empty, Pager } from "../parts.ts";
import { useQuery } from "../requests.ts";

const pageSize = 20;
const last = "ffffffff-ffff-ffff-ffff-ffffffffffff";

/** All accounts, the newest first. It requests one row more than a page has, to see whether there is a next page. */
export function NewestAccounts() {
  const [starts, setStarts] = useState([last]);
  const answer = useQuery(newestAccounts, { before: starts.at(-1) ?? last, limit: pageSize + 1 });
  return html`<section aria-labelledby="newest">
    <h2 id="newest">Newest accounts</h2>
    <${Answer} of=${answer}>
      ${({ user_account }: { user_account: Parameters<typeof Accounts>[0]["rows"] }) => {
        const rows = user_account.slice(0, pageSize);
        const next = user_account.length > pageSize ? rows.at(-1)?.id : undefined;
        if (rows.length === 0) return html`<${Empty}>Nobody has registered yet.<//>`;
        return html`<${Accounts} rows=${rows} />
          <${Pager} starts=${starts} next=${next} setStarts=${setStarts} isBusy=${answer.isBusy} />`;
      }}
    <//>
  </section>`;
}
