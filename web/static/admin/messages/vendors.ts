import { html } from "htm/preact";
import { vendorsByHour, type VendorHour } from "../documents/delivery_documents.ts";
import { formatNumber, formatShare } from "../format.ts";
import { Answer, Empty, Table, type Column } from "../parts.ts";
import { useQuery } from "../requests.ts";

const sum = (rows: VendorHour[], name: Exclude<keyof VendorHour, "provider" | "channel">): number =>
  rows.reduce((total, row) => total + row[name], 0);

const columns: Column[] = [
  ["Vendor"],
  ["Attempts", "number"],
  ["Accepted", "number"],
  ["Failed", "number"],
  ["Delivered", "number"],
  ["Undelivered", "number"],
  ["Verified", "number"],
];

function rowOf([name, hours]: [string, VendorHour[]]) {
  const sent = sum(hours, "sent");
  const failures = (["refused", "declined", "unreachable", "uncertain"] as const).map((outcome) => sum(hours, outcome));
  const counts = [sum(hours, "attempts"), sent, failures.reduce((a, b) => a + b, 0)];
  const receipts = [sum(hours, "delivered"), sum(hours, "undelivered")];
  return {
    key: name,
    cells: [name, ...[...counts, ...receipts].map(formatNumber), formatShare(sum(hours, "verified"), sent)],
  };
}

/** The outcomes of each vendor's messages in the period. */
export function Vendors({ from }: { from: string }) {
  const answer = useQuery(vendorsByHour, { from });
  return html`<section class="card" aria-labelledby="vendors">
    <h2 id="vendors">Vendors</h2>
    <${Answer} of=${answer}>
      ${({ platform_delivery_by_hour: rows }: { platform_delivery_by_hour: VendorHour[] }) => {
        if (rows.length === 0) return html`<${Empty}>No message was passed to a vendor in this period.<//>`;
        const vendors = [...Map.groupBy(rows, ({ provider, channel }) => `${provider} (${channel})`)];
        return html`<${Table} label="Messages by vendor" columns=${columns} rows=${vendors.map(rowOf)} />
          ${rows.length === 1_000 && html`<p class="soft">The largest 1,000 groups of hour, vendor and country: choose a shorter period for all.</p>`}`;
      }}
    <//>
  </section>`;
}
