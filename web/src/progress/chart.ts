/** Where the numbers of a chart lie. */

import { type Box, xOf } from "../review/graph";

export interface Drawn {
  readonly dots: readonly { readonly x: number; readonly y: number }[];
  readonly path: string;
  /** Values that are ruled and labelled. */
  readonly rules: readonly { readonly value: number; readonly y: number }[];
}

/** More dots than these take a browser long. */
const MOST_DOTS = 1000;
/** More dots than these hide the line, if they lie on it. */
const MOST_ON_LINE = 60;
const RULES = 3;

/** Round numbers around all values, from at most `low` to at least the highest. */
export function scale(values: readonly number[], low = Infinity): number[] {
  const [least, most] = [Math.min(low, ...values), Math.max(...values)];
  const rough = Math.max((most - least) / RULES, Math.abs(most) / 100, 0.01);
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = power * [1, 2, 5, 10].find((each) => each * power >= rough * (1 - 1e-9))!;
  const first = Math.floor(least / step);
  const last = Math.max(first + 1, Math.ceil(most / step));
  return Array.from({ length: last - first + 1 }, (_, at) => Number(((first + at) * step).toPrecision(12)));
}

/** A dot for each value and a line through others, in the order in which they came. */
export function drawn(values: readonly number[], line: readonly number[], low: number | undefined, box: Box): Drawn {
  const rules = scale([...values, ...line], low);
  const [bottom, top] = [rules[0]!, rules.at(-1)!];
  const tall = box.height - box.above - box.below;
  const y = (value: number): number => box.above + tall * (1 - (value - bottom) / (top - bottom));
  const x = (at: number): number => (values.length === 1 ? (box.left + box.width - box.right) / 2 : xOf(at, values.length, box));
  return {
    dots: values.length > (values === line ? MOST_ON_LINE : MOST_DOTS) ? [] : values.map((value, at) => ({ x: x(at), y: y(value) })),
    path: line.length > 1 ? `M${line.map((value, at) => `${x(at).toFixed(1)} ${y(value).toFixed(1)}`).join("L")}` : "",
    rules: rules.map((value) => ({ value, y: y(value) })),
  };
}
