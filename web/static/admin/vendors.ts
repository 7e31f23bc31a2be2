import { html } from "htm/preact";
import { vendorsByHour, type VendorHour } from "./documents/delivery_documents.ts";
import { formatNumber, formatShare } from "./format.ts";
import { Answer, Empty } from "./parts.ts";
import { useQuery } from "./requests.ts";

const sum = (rows: VendorHour[], name: Exclude<keyof VendorHour, "provider" | "channel">): number =>
  rows.reduce((total, row) => total + row[name], 0);

/** The outcomes of each vendor's messages in the period. */
export function Vendors({ from }: { from: string }) {
  const answer = useQuery(vendorsByHour, { from });
  return html`<section class="card" aria-labelledby="vendors">
    <h2 id="vendors">Vendors</h2>
    <${Answer} of=${answer}>
      ${({ platform_delivery_by_hour: rows }: { platform_delivery_by_hour: VendorHour[] }) => {
        if (rows.length === 0) return html`<${Empty}>No message was passed to a vendor in this period.<//>`;
        const vendors = [...Map.groupBy(rows, ({ provider, channel }) => `${provider} (${channel})`)];
        return html`<div class="scroll" role="region" aria-label="Messages by vendor" tabindex="0">
            <table>
              <thead>
                <tr>
                  <th scope="col">Vendor</th>
                  <th scope="col" class="number">Attempts</th>
                  <th scope="col" class="number">Accepted</th>
                  <th scope="col" class="number">Failed</th>
                  <th scope="col" class="number">Delivered</th>
                  <th scope="col" class="number">Undelivered</th>
                  <th scope="col" class="number">Verified</th>
                </tr>
              </thead>
              <tbody>
                ${vendors.map(([name, hours]) => {
                  const sent = sum(hours, "sent");
                  const failed = (["refused", "declined", "unreachable", "uncertain"] as const).map(
                    (outcome) => sum(hours, outcome),
                  );
                  return html`<tr key=${name}>
                    <th scope="row">${name}</th>
                    <td class="number">${formatNumber(sum(hours, "attempts"))}</td>
                    <td class="number">${formatNumber(sent)}</td>
                    <td class="number">${formatNumber(failed.reduce((a, b) => a + b, 0))}</td>
                    <td class="number">${formatNumber(sum(hours, "delivered"))}</td>
                    <td class="number">${formatNumber(sum(hours, "undelivered"))}</td>
                    <td class="number">${formatShare(sum(hours, "verified"), sent)}</td>
                  </tr>`;
                })}
              </tbody>
            </table>
          </div>
          ${rows.length === 1_000 && html`<p class="soft">The largest 1,000 groups of hour, vendor and country: choose a shorter period for all.</p>`}`;
      }}
    <//>
  </section>`;
}
