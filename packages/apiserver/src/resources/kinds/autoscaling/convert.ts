import { compareText } from 'kube-endpoints/internal/apimachinery';
import { child, copyOf, type Draft, ensureChild, entries, type Fields, has, list, text } from '../../field/read.ts';
import { nanosOf } from '../../field/resource-list.ts';
import { readPath } from '../../table/columns.ts';
import { type AnnotatedField, annotationNames, droppedAnnotations, parseAnnotation, printAnnotation } from './annotations.ts';

/** The fields of a metric of autoscaling/v1 and their paths in autoscaling/v2, by the field of the metric. */
type FieldPaths = Readonly<Record<string, Readonly<Record<string, string>>>>;

const named = { metricName: 'metric.name', selector: 'metric.selector' };

const specPaths: FieldPaths = {
  object: { target: 'describedObject', ...named, targetValue: 'target.value', averageValue: 'target.averageValue' },
  pods: { ...named, targetAverageValue: 'target.averageValue' },
  resource: { name: 'name', targetAverageUtilization: 'target.averageUtilization', targetAverageValue: 'target.averageValue' },
  containerResource: {
    name: 'name',
    container: 'container',
    targetAverageUtilization: 'target.averageUtilization',
    targetAverageValue: 'target.averageValue',
  },
  external: {
    metricName: 'metric.name',
    metricSelector: 'metric.selector',
    targetValue: 'target.value',
    targetAverageValue: 'target.averageValue',
  },
};

const statusPaths: FieldPaths = {
  object: { target: 'describedObject', ...named, currentValue: 'current.value', averageValue: 'current.averageValue' },
  pods: { ...named, currentAverageValue: 'current.averageValue' },
  resource: { name: 'name', currentAverageUtilization: 'current.averageUtilization', currentAverageValue: 'current.averageValue' },
  containerResource: {
    name: 'name',
    container: 'container',
    currentAverageUtilization: 'current.averageUtilization',
    currentAverageValue: 'current.averageValue',
  },
  external: {
    metricName: 'metric.name',
    metricSelector: 'metric.selector',
    currentValue: 'current.value',
    currentAverageValue: 'current.averageValue',
  },
};

/** Quantities that are not pointers in autoscaling/v1, so that absent ones are 0 in autoscaling/v2. */
const requiredQuantities = ['pods.targetAverageValue', 'object.currentValue', 'external.currentValue'].concat(
  ['pods', 'resource', 'containerResource'].map((field) => `${field}.currentAverageValue`),
);

const defaultUtilization = 80;

/** Converts autoscaling/v1 to autoscaling/v2. Mirrors pkg/apis/autoscaling/v1/conversion.go (1.36), as does `toAutoscalingV1`. */
export function toAutoscalingV2(object: Fields): Fields {
  const [spec, status] = [child(object, 'spec'), child(object, 'status')];
  const annotations = child(child(object, 'metadata'), 'annotations');
  const read = (field: AnnotatedField): unknown => parseAnnotation(field, annotations[annotationNames[field]]);
  const { targetCPUUtilizationPercentage: utilization, ...otherSpec } = spec;
  const { currentCPUUtilizationPercentage: currentUtilization, ...otherStatus } = status;
  const metrics = [
    ...((read('metrics') as readonly Fields[] | undefined) ?? []).map(toMetric),
    ...(utilization === undefined ? [] : [createCpuMetric(utilization)]),
  ];
  const behavior = read('behavior');
  const currentMetrics =
    (read('currentMetrics') as readonly Fields[] | undefined)?.map((each) => toCurrent(each)) ??
    (currentUtilization === undefined ? [] : [createCpuStatus(currentUtilization)]);
  const conditions = (read('conditions') as readonly Fields[] | undefined) ?? [];
  return replaceParts(object, 'autoscaling/v2', {
    spec: {
      ...otherSpec,
      metrics: metrics.length > 0 ? metrics : [createCpuMetric(defaultUtilization)],
      ...(behavior !== undefined && { behavior }),
    },
    status: {
      ...otherStatus,
      ...(currentMetrics.length > 0 && { currentMetrics }),
      ...(conditions.length > 0 && { conditions }),
    },
  });
}

/** Converts autoscaling/v2 to autoscaling/v1, which has the fields that only v2 has as annotations. */
export function toAutoscalingV1(object: Fields): Fields {
  const { metrics: _, behavior, ...spec } = child(object, 'spec');
  const { currentMetrics: __, conditions: ___, ...status } = child(object, 'status');
  const metrics = list(child(object, 'spec'), 'metrics');
  const otherMetrics = metrics.filter((metric) => cpuUtilizationOf(metric, 'target') === undefined);
  const currentMetrics = list(child(object, 'status'), 'currentMetrics');
  const conditions = list(child(object, 'status'), 'conditions');
  const utilization = metrics.map((metric) => cpuUtilizationOf(metric, 'target')).find((each) => each !== undefined);
  const currentUtilization = currentMetrics.map((metric) => cpuUtilizationOf(metric, 'current')).findLast((each) => each !== undefined);
  const converted = replaceParts(object, 'autoscaling/v1', {
    spec: { ...spec, ...(utilization !== undefined && { targetCPUUtilizationPercentage: utilization }) },
    status: { ...status, ...(currentUtilization !== undefined && { currentCPUUtilizationPercentage: currentUtilization }) },
  });
  const annotate = (field: AnnotatedField, value: unknown): void => {
    ensureChild(ensureChild(converted, 'metadata'), 'annotations')[annotationNames[field]] = printAnnotation(field, value);
  };
  const fromMetrics = (values: readonly Fields[], paths: FieldPaths): readonly Fields[] => values.map((each) => fromMetric(each, paths));
  if (otherMetrics.length > 0) annotate('metrics', fromMetrics(otherMetrics, specPaths));
  if (currentMetrics.length > 0) annotate('currentMetrics', fromMetrics(currentMetrics, statusPaths));
  if (behavior !== undefined) annotate('behavior', behavior);
  if (conditions.length > 0) annotate('conditions', conditions);
  return converted;
}

/** Replaces spec and status, unless they are absent and stay empty, and removes the annotations. */
function replaceParts(object: Fields, apiVersion: string, parts: { readonly spec: Fields; readonly status: Fields }): Draft {
  const draft = copyOf(object) as Draft;
  if (has(draft, 'apiVersion')) draft['apiVersion'] = apiVersion;
  for (const [name, value] of Object.entries(parts)) {
    if (has(draft, name) || Object.keys(value).length > 0) draft[name] = copyOf(value);
  }
  dropRoundTripAnnotations(draft);
  return draft;
}

/** Removes the annotations that only conversions write. */
export function dropRoundTripAnnotations(draft: Draft): void {
  const metadata = child(draft, 'metadata') as Draft;
  if (!has(metadata, 'annotations')) return;
  const annotations = ensureChild(metadata, 'annotations');
  for (const name of [...Object.values(annotationNames), ...droppedAnnotations]) delete annotations[name];
  if (Object.keys(annotations).length === 0) delete metadata['annotations'];
}

const createCpuMetric = (averageUtilization: unknown): Fields => ({
  type: 'Resource',
  resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization } },
});

const createCpuStatus = (averageUtilization: unknown): Fields => ({
  type: 'Resource',
  resource: { name: 'cpu', current: { averageUtilization } },
});

function cpuUtilizationOf(metric: Fields, parent: 'target' | 'current'): unknown {
  const resource = child(metric, 'resource');
  if (text(metric, 'type') !== 'Resource' || text(resource, 'name') !== 'cpu') return undefined;
  return child(resource, parent)['averageUtilization'];
}

function toMetric(metric: Fields): Fields {
  const result = toNewPaths(metric, specPaths) as Draft;
  for (const field of Object.keys(specPaths)) {
    if (!has(result, field)) continue;
    const target = ensureChild(ensureChild(result, field), 'target');
    if (field === 'object') setObjectValue(target, text(child(metric, field), 'targetValue'));
    const average = has(target, 'averageUtilization') ? 'Utilization' : 'AverageValue';
    const isValue = field === 'object' ? !has(target, 'averageValue') : field === 'external' && has(target, 'value');
    target['type'] = isValue ? 'Value' : average;
  }
  return result;
}

/** The value of an object's metric is no pointer in autoscaling/v1: 0 means absent, unless there is no average value. */
function setObjectValue(target: Draft, value: string): void {
  if (!has(target, 'averageValue')) target['value'] = value === '' ? '0' : value;
  else if (nanosOf(value) === 0n) delete target['value'];
}

const toCurrent = (metric: Fields): Fields => toNewPaths(metric, statusPaths);

function toNewPaths(metric: Fields, paths: FieldPaths): Fields {
  const result: Draft = { ...metric };
  for (const [field, names] of Object.entries(paths)) {
    if (!has(metric, field)) continue;
    const source: Draft = {};
    for (const [name, path] of Object.entries(names)) {
      const value = child(metric, field)[name] ?? (requiredQuantities.includes(`${field}.${name}`) ? '0' : undefined);
      if (value !== undefined) setPath(source, path, value);
    }
    result[field] = source;
  }
  return result;
}

function setPath(draft: Draft, path: string, value: unknown): void {
  const [parent = '', name] = path.split('.');
  if (name === undefined) draft[parent] = value;
  else ensureChild(draft, parent)[name] = value;
}

function fromMetric(metric: Fields, paths: FieldPaths): Fields {
  const result: Draft = { ...metric };
  for (const [field, names] of Object.entries(paths)) {
    if (!has(metric, field)) continue;
    const values = Object.entries(names).map(([name, path]) => [name, sortLabels(readPath(child(metric, field), path))]);
    result[field] = Object.fromEntries(values.filter(([, value]) => value !== undefined));
  }
  return result;
}

/** Go prints maps in the order of their keys. */
function sortLabels(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || !('matchLabels' in value)) return value;
  return { ...value, matchLabels: Object.fromEntries([...entries(value as Fields, 'matchLabels')].sort(([a], [b]) => compareText(a, b))) };
}
