import { html } from "htm/preact";
import { useState } from "preact/hooks";
import { Confirm } from "../dialog.ts";
import { clearLimits, limitsQuery, type LimitState } from "../documents/person_documents.ts";
import { formatMoment, formatSeconds } from "../format.ts";
import { ask } from "../graphql_access.ts";
import { Answer, Badge, Empty } from "../parts.ts";
import { useAction, useQuery } from "../requests.ts";

/** Shows what limits have counted for a person, and clears it. */
export function Limits({ identifier, accountId }: { identifier: string; accountId: string }) {
  const [isOpen, setOpen] = useState(false);
  const variables = { identifier, account: accountId };
  const answer = useQuery(limitsQuery, variables);
  const clear = useAction(async () => {
    const { ofIdentifier, ofAccount } = await ask(clearLimits, variables);
    setOpen(false);
    answer.reload();
    const count = ofIdentifier.length + ofAccount.length;
    return `${count} ${count === 1 ? "limit was" : "limits were"} cleared.`;
  });
  return html`<section class="card" aria-labelledby="limits">
    <h2 id="limits">Limits</h2>
    <${Answer} of=${answer}>
      ${({ ofIdentifier, ofAccount }: { ofIdentifier: LimitState[]; ofAccount: LimitState[] }) => {
        const limits = [...ofIdentifier, ...ofAccount];
        if (limits.length === 0) return html`<${Empty}>Nothing is counted now: no limit refuses this person.<//>`;
        return html`<ul class="limits">
            ${limits.map((limit) => html`<${LimitRow} key=${limit.policy + (limit.client ?? "")} limit=${limit} />`)}
          </ul>
          <button type="button" onClick=${() => setOpen(true)}>Clear the limits…</button>`;
      }}
    <//>
    ${
      isOpen &&
      html`<${Confirm}
        title="Clear the limits?"
        verb="Clear them"
        action=${clear}
        onConfirm=${clear.run}
        onClose=${() => setOpen(false)}
      >
        <p>
          All that limits have counted here is deleted, wrong codes and failed logins included. Be sure who asks: an
          attacker would get new tries. A code that too many wrong ones have blocked stays blocked; a new one works.
        </p>
      <//>`
    }
  </section>`;
}

const LimitRow = ({ limit }: { limit: LimitState }) =>
  html`<li>
    <span class="limit-name"
      ><code>${limit.policy}</code>${" "}
      ${limit.client !== null && html`<span class="soft">${limit.client}</span>`}</span
    >
    <meter
      min="0"
      max=${limit.requests}
      high=${limit.requests * 0.99}
      value=${limit.counted}
      aria-label=${`${limit.policy}: ${limit.counted} of ${limit.requests}`}
    ></meter>
    <span class="soft">
      ${limit.counted} of ${limit.requests} in ${formatSeconds(limit.period_seconds)}${" "}
      ${
        limit.blocked_until === null
          ? ""
          : html` <${Badge} tone="bad">refused until ${formatMoment(limit.blocked_until)}<//>`
      }
    </span>
  </li>`;
