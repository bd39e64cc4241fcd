import { stringify } from 'yaml';
import type { Manifest } from '../../examples/manifest.ts';

type Fields = Record<string, unknown>;

/** Fields that the API server adds and that have no effect on endpoints. */
const POD_NOISE = [
  'dnsPolicy',
  'enableServiceLinks',
  'preemptionPolicy',
  'priority',
  'schedulerName',
  'securityContext',
  'terminationGracePeriodSeconds',
  'tolerations',
];
const CONTAINER_NOISE = ['imagePullPolicy', 'resources', 'terminationMessagePath', 'terminationMessagePolicy'];
const CONDITION_NOISE = ['lastProbeTime', 'observedGeneration'];
const STATUS_NOISE = ['qosClass', 'observedGeneration', 'loadBalancer'];

/** Removes managedFields, defaults and empty values from an object of the API server. */
export function removeNoise(object: Manifest): Manifest {
  const { apiVersion, kind, metadata, spec, status, ...rest } = object;
  const { managedFields: _, generation: __, ...otherMetadata } = metadata as Fields;
  const tidySpec = kind === 'Pod' ? omitSpecNoise(spec ?? {}) : spec;
  const tidyStatus = kind === 'Endpoints' ? undefined : omitStatusNoise(status ?? {});
  return {
    apiVersion,
    kind,
    metadata: otherMetadata as Manifest['metadata'],
    ...(tidySpec === undefined ? {} : { spec: tidySpec }),
    ...(tidyStatus === undefined || Object.keys(tidyStatus).length === 0 ? {} : { status: tidyStatus }),
    ...rest,
  };
}

export function formatYaml(objects: readonly Manifest[]): string {
  return objects.map((object) => stringify(object, { compat: 'yaml-1.1', lineWidth: 0, aliasDuplicateObjects: false })).join('---\n');
}

/** Formats a List as JSON, one item per line. */
export function formatJsonList(objects: readonly Manifest[]): string {
  return `{"apiVersion":"v1","kind":"List","items":[\n${objects.map((object) => JSON.stringify(object)).join(',\n')}\n]}\n`;
}

function omitSpecNoise(spec: Fields): Fields {
  const remaining = omit(spec, POD_NOISE);
  for (const field of ['containers', 'initContainers']) {
    if (field in remaining) remaining[field] = (remaining[field] as Fields[]).map((container) => omit(container, CONTAINER_NOISE));
  }
  return remaining;
}

function omitStatusNoise(status: Fields): Fields {
  const remaining = omit(status, STATUS_NOISE);
  if ('conditions' in remaining)
    remaining['conditions'] = (remaining['conditions'] as Fields[]).map((entry) => omit(entry, CONDITION_NOISE));
  return remaining;
}

function omit(fields: Fields, names: readonly string[]): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !names.includes(name)));
}
