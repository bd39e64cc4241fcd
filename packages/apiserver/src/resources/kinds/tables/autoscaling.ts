import { child, type Fields, list, text } from '../../field/read.ts';
import { readPath } from '../../table/columns.ts';

/** The field of a metric by its type, and how its cell begins. */
const sources: Readonly<Record<string, { readonly field: string; readonly isNamed?: true; readonly onlyAverage?: true }>> = {
  ContainerResource: { field: 'containerResource', isNamed: true },
  External: { field: 'external' },
  Object: { field: 'object' },
  Pods: { field: 'pods', onlyAverage: true },
  Resource: { field: 'resource', isNamed: true },
};

const maxMetrics = 2;

/** The targets of an autoscaler: "cpu: 10%/80%, 5/10 (avg)". Mirrors formatHPAMetrics (pkg/printers/internalversion, 1.36). */
export function printMetrics(object: Fields): string {
  const metrics = list(child(object, 'spec'), 'metrics');
  const statuses = list(child(object, 'status'), 'currentMetrics');
  if (metrics.length === 0) return '<none>';
  const shown = metrics.slice(0, maxMetrics).map((metric, i) => printMetric(metric, statuses[i] ?? {}));
  const omittedCount = metrics.length - maxMetrics;
  return omittedCount > 0 ? `${shown.join(', ')} + ${omittedCount} more...` : shown.join(', ');
}

function printMetric(metric: Fields, status: Fields): string {
  const source = sources[text(metric, 'type')];
  if (!source) return '<unknown type>';
  const { field, isNamed, onlyAverage } = source;
  const spec = child(metric, field);
  const target = child(spec, 'target');
  const hasStatus = status[field] !== undefined;
  const readCurrent = (name: string): unknown => readPath(status, `${field}.current.${name}`);
  const prefix = isNamed ? `${text(spec, 'name')}: ` : '';
  const average = target['averageValue'];
  if (onlyAverage) return `${hasStatus ? (readCurrent('averageValue') ?? nil) : unknown}/${average ?? nil}`;
  if (average !== undefined) {
    const current = readCurrent('averageValue') ?? (isNamed && hasStatus ? nil : unknown);
    return `${prefix}${current}/${average}${isNamed ? '' : ' (avg)'}`;
  }
  if (!isNamed) return `${hasStatus ? (readCurrent('value') ?? nil) : unknown}/${target['value'] ?? nil}`;
  return `${prefix}${printPercent(readCurrent('averageUtilization'), unknown)}/${printPercent(target['averageUtilization'], '<auto>')}`;
}

const unknown = '<unknown>';

/** Go's text of a nil quantity. */
const nil = '<nil>';

const printPercent = (value: unknown, absent: string): string => (value === undefined ? absent : `${value}%`);
