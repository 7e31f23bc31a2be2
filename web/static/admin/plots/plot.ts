import { html } from "htm/preact";
import { useEffect, useRef } from "preact/hooks";
import uPlot from "uplot";

export interface Point {
  /** Seconds since 1970. */
  at: number;
  all: number;
  /** Those of them that the second bar shows, in front of the first. */
  part: number;
}

const height = 220;
const halfHour = 1_800;
const darkScheme = matchMedia("(prefers-color-scheme: dark)");

interface Properties {
  points: Point[];
  /** What the two bars of an hour are. */
  names: { all: string; part: string };
  label: string;
}

/**
 * A whole and a part of it by hour. The table below it has the same numbers, because a screen reader cannot read a canvas.
 */
export function Plot({ points, names, label }: Properties) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = box.current;
    if (!element) return undefined;
    let plot = draw(element, points, names);
    const redraw = () => {
      plot.destroy();
      plot = draw(element, points, names);
    };
    const observer = new ResizeObserver(() => plot.setSize({ width: element.clientWidth, height }));
    observer.observe(element);
    darkScheme.addEventListener("change", redraw);
    return () => {
      observer.disconnect();
      darkScheme.removeEventListener("change", redraw);
      plot.destroy();
    };
  }, [points]);
  return html`<div class="plot" ref=${box} role="img" aria-label=${label}></div>`;
}

function draw(element: HTMLElement, points: Point[], names: Properties["names"]): uPlot {
  const style = getComputedStyle(element);
  const color = (name: string) => style.getPropertyValue(name).trim();
  const axis = {
    stroke: () => style.color,
    grid: { stroke: color("--plot-line"), width: 1 },
    ticks: { show: false },
    font: "12px system-ui, sans-serif",
  };
  const bars = uPlot.paths.bars?.({ size: [0.8, 60] });
  const series = (label: string, fill: string) => ({
    label,
    fill: color(fill),
    stroke: color(fill),
    width: 0,
    points: { show: false },
    ...(bars && { paths: bars }),
  });
  return new uPlot(
    {
      width: element.clientWidth,
      height,
      cursor: { y: false },
      // Half an hour more on either side, where the first and the last bar end.
      scales: {
        x: { range: (_plot, min, max) => [min - halfHour, max + halfHour] },
        y: { range: (_plot, _min, max) => [0, Math.max(4, max * 1.1)] },
      },
      axes: [
        { ...axis, grid: { show: false } },
        {
          ...axis,
          size: 44,
          incrs: [1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000, 50_000, 100_000],
        },
      ],
      series: [{ label: "Hour" }, series(names.all, "--plot-all"), series(names.part, "--plot-part")],
    },
    [points.map(({ at }) => at), points.map(({ all }) => all), points.map(({ part }) => part)],
    element,
  );
}
