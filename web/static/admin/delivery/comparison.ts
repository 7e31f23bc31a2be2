import { html } from "htm/preact";
import type { Replayed } from "../documents/delivery_documents.ts";
import { formatNumber } from "../format.ts";
import { Empty } from "../parts.ts";

const rows: [name: Exclude<keyof Replayed, "rule" | "saved">, text: string][] = [
  ["decisions", "Requests for an SMS"],
  ["refused_now", "Refused"],
  ["saved_messages", "SMS not sent"],
  ["hurt", "Of these, codes that were used: real people who would get no SMS"],
  ["unknown", "Unknown: the rule was off"],
];

const find = (replayed: Replayed[], name: string | null) => replayed.find(({ rule }) => rule === name);

interface Properties {
  ruleName: string;
  now: Replayed[];
  then: Replayed[];
}

/** The two replays side by side: of the rule alone, and of all rules together. */
export function Comparison({ ruleName, now, then }: Properties) {
  if (find(now, null)?.decisions === 0)
    return html`<${Empty}>No SMS was requested in this period, so there is nothing to replay.<//>`;
  return html`<div class="side-by-side">
    <${Column} title="In force now" ruleName=${ruleName} replayed=${now} />
    <${Column} title="With your rule" ruleName=${ruleName} replayed=${then} />
  </div>`;
}

function Column({ title, ruleName, replayed }: { title: string; ruleName: string; replayed: Replayed[] }) {
  const alone = find(replayed, ruleName);
  const together = find(replayed, null);
  const cell = (row: Replayed | undefined, name: (typeof rows)[number][0]) => formatNumber(row?.[name] ?? 0);
  return html`<table>
    <caption>
      ${title}
    </caption>
    <thead>
      <tr>
        <td></td>
        <th scope="col" class="number">This rule</th>
        <th scope="col" class="number">All rules</th>
      </tr>
    </thead>
    <tbody>
      ${rows.map(
        ([name, text]) =>
          html`<tr key=${name}>
            <th scope="row">${text}</th>
            <td class="number">${cell(alone, name)}</td>
            <td class="number">${cell(together, name)}</td>
          </tr>`,
      )}
      <tr>
        <th scope="row">Price of the SMS not sent, as vendors reported it</th>
        <td class="number">${formatNumber(Number(alone?.saved ?? 0))}</td>
        <td class="number">${formatNumber(Number(together?.saved ?? 0))}</td>
      </tr>
    </tbody>
  </table>`;
}
