import { round } from "../parts/figures.ts";
import type { MeasuredRoute } from "../parts/measure_routes.ts";

const [left, barWidth, rowHeight, gap] = [260, 320, 20, 14];

/**
 * An SVG with a group of bars for each route: requests per second of each program, the longest bar of a group as wide
 * as the others' longest.
 */
export function drawChart(measured: MeasuredRoute[]): string {
  let y = gap;
  const lines: string[] = [];
  for (const { route, costs } of measured) {
    const most = Math.max(...costs.map(({ cost }) => cost.perSecond));
    lines.push(`<text x="0" y="${y + 14}" font-weight="bold">${route}</text>`);
    for (const [index, { name, cost }] of costs.entries()) {
      const width = round((cost.perSecond / most) * barWidth, 1);
      const color = index === 0 ? "#2563eb" : name === "floor" ? "#d1d5db" : "#9ca3af";
      lines.push(
        `<text x="${left - 8}" y="${y + 14}" text-anchor="end">${name}</text>`,
        `<rect x="${left}" y="${y + 3}" width="${width}" height="${rowHeight - 6}" fill="${color}"/>`,
        `<text x="${left + width + 6}" y="${y + 14}">${round(cost.perSecond, 0)}/s, p99 ${round(cost.p99, 0)} ms</text>`,
      );
      y += rowHeight;
    }
    y += gap;
  }
  const size = `viewBox="0 0 ${left + barWidth + 150} ${y}" font-family="sans-serif" font-size="12"`;
  return [`<svg xmlns="http://www.w3.org/2000/svg" ${size}>`, ...lines, "</svg>\n"].join("\n");
}
