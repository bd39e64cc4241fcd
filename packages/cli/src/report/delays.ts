import type { delays as Delays } from '@kube-endpoints/simulator';
import type { MeasuredDelay } from '@kube-endpoints/simulator/internal';
import { formatCount } from 'kube-endpoints/internal';
import type { Report } from '../print/report.ts';
import { cell, formatTable } from '../print/table.ts';

/** Reports the ranges of all delays: the measured ones, and where to find the others. The data is the file of `--ranges`. */
export function reportDelays(delays: typeof Delays, measured: readonly MeasuredDelay[]): Report {
  const unbounded = measured.filter(({ range }) => !range);
  return {
    hasFindings: false,
    text: (style) =>
      formatTable(
        ['delay', 'milliseconds', 'observations', 'from'],
        Object.entries(delays).map(([name, { min, max, source }]) => {
          const found = measured.find((delay) => delay.name === name);
          const range = found?.range;
          return [
            cell(name),
            cell(range ? `${range.min} to ${range.max}` : `${min} to ${max}`),
            cell(range ? found.count : ''),
            cell(range ? source : `default; ${source}`),
          ];
        }),
        style,
      ),
    data: () => ({ ranges: Object.fromEntries(measured.flatMap(({ name, range }) => (range ? [[name, range]] : []))) }),
    hints: unbounded.map(
      ({ name, metric, count, limit }) =>
        `${name}: some of ${formatCount(count, 'observation')} of ${metric} are longer than its greatest bound of ${limit} ms; give this range yourself, or a lower --quantile.`,
    ),
  };
}
