import { html } from "htm/preact";
import type { SentInHour } from "./documents/delivery_documents.ts";
import { formatCountry, formatNumber, formatShare } from "./format.ts";

interface Properties {
  rows: SentInHour[];
  chosen: string;
  onChoose: (country: string) => void;
}

/** The period's sums by country; choosing one shows it alone in the plot. */
export function Countries({ rows, chosen, onChoose }: Properties) {
  const sums = [...Map.groupBy(rows, ({ country }) => country ?? "")].map(([country, hours]) => ({
    country,
    sent: hours.reduce((sum, hour) => sum + hour.sent, 0),
    verified: hours.reduce((sum, hour) => sum + hour.verified, 0),
  }));
  sums.sort((a, b) => Number(a.country === "") - Number(b.country === "") || b.sent - a.sent);
  return html`<div class="scroll" role="region" aria-label="Sent and verified by country" tabindex="0">
    <table>
      <thead>
        <tr>
          <th scope="col">Country</th>
          <th scope="col" class="number">Sent</th>
          <th scope="col" class="number">Verified</th>
          <th scope="col" class="share">Share</th>
        </tr>
      </thead>
      <tbody>
        ${sums.map(({ country, sent, verified }) => {
          const name = formatCountry(country === "" ? null : country);
          return html`<tr key=${country}>
            <td>
              <button
                type="button"
                class="link"
                aria-pressed=${chosen === country}
                onClick=${() => onChoose(country)}
              >
                ${name}
              </button>
            </td>
            <td class="number">${formatNumber(sent)}</td>
            <td class="number">${formatNumber(verified)}</td>
            <td class="share">
              <meter
                min="0"
                max=${Math.max(1, sent)}
                value=${verified}
                aria-label=${`Share of ${name}`}
              ></meter>
              ${formatShare(verified, sent)}
            </td>
          </tr>`;
        })}
      </tbody>
    </table>
  </div>`;
}
