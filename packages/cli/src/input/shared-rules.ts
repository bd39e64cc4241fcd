import { bool, type Check, list, map, namespaceName, objectName, oneOf, requiredAddress, text, timestamp, wholeNumber } from './checks.ts';

/** A constraint on a field. In a path, `[]` stands for every element of a list and `{}` for every value of a map. */
export interface Rule {
  readonly path: string;
  readonly check: Check;
  /** True if the field must be set when its parent is. */
  readonly required?: boolean;
}

export const protocol: Check = oneOf('TCP', 'UDP', 'SCTP');
export const count: Check = wholeNumber(0, Number.MAX_SAFE_INTEGER);

export const metadataRules: readonly Rule[] = [
  { path: 'metadata', check: map, required: true },
  { path: 'metadata.name', check: objectName, required: true },
  { path: 'metadata.namespace', check: namespaceName },
  { path: 'metadata.uid', check: text },
  { path: 'metadata.resourceVersion', check: text },
  { path: 'metadata.creationTimestamp', check: timestamp },
  { path: 'metadata.deletionTimestamp', check: timestamp },
  { path: 'metadata.labels', check: map },
  { path: 'metadata.labels{}', check: text },
  { path: 'metadata.annotations', check: map },
  { path: 'metadata.annotations{}', check: text },
];

export const containerRules = (path: string): readonly Rule[] => [
  { path, check: list },
  { path: `${path}[]`, check: map },
  { path: `${path}[].name`, check: text },
  { path: `${path}[].restartPolicy`, check: text },
  { path: `${path}[].ports`, check: list },
  { path: `${path}[].ports[]`, check: map },
  { path: `${path}[].ports[].name`, check: text },
  { path: `${path}[].ports[].containerPort`, check: wholeNumber(0, 65535) },
  { path: `${path}[].ports[].protocol`, check: protocol },
  ...['startupProbe', 'readinessProbe'].flatMap((probe) => probeRules(`${path}[].${probe}`)),
];

const probeRules = (path: string): readonly Rule[] => [
  { path, check: map },
  { path: `${path}.httpGet`, check: map },
  { path: `${path}.tcpSocket`, check: map },
  { path: `${path}.grpc`, check: map },
  { path: `${path}.exec`, check: map },
  { path: `${path}.exec.command`, check: list },
];

export const containerStatusRules = (path: string): readonly Rule[] => [
  { path, check: list },
  { path: `${path}[]`, check: map },
  { path: `${path}[].name`, check: text },
  { path: `${path}[].ready`, check: bool },
  { path: `${path}[].started`, check: bool },
  { path: `${path}[].restartCount`, check: count },
  ...['state', 'lastState'].flatMap((state) => stateRules(`${path}[].${state}`)),
];

const stateRules = (path: string): readonly Rule[] => [
  { path, check: map },
  { path: `${path}.running`, check: map },
  { path: `${path}.running.startedAt`, check: timestamp },
  ...['waiting', 'terminated'].flatMap((state) => [
    { path: `${path}.${state}`, check: map },
    { path: `${path}.${state}.reason`, check: text },
    { path: `${path}.${state}.message`, check: text },
  ]),
];

export const addressRules = (path: string): readonly Rule[] => [
  { path, check: list },
  { path: `${path}[]`, check: map },
  { path: `${path}[].ip`, check: requiredAddress, required: true },
  { path: `${path}[].hostname`, check: text },
  { path: `${path}[].nodeName`, check: text },
  { path: `${path}[].targetRef`, check: map },
  { path: `${path}[].targetRef{}`, check: text },
];

export const conditionRules: readonly Rule[] = [
  { path: 'status.conditions', check: list },
  { path: 'status.conditions[]', check: map },
  { path: 'status.conditions[].type', check: text },
  { path: 'status.conditions[].status', check: text },
  { path: 'status.conditions[].lastTransitionTime', check: timestamp },
];

export const nameRules = (path: string): readonly Rule[] => [
  { path, check: list },
  { path: `${path}[]`, check: map },
  { path: `${path}[].name`, check: text, required: true },
];

/** Creates the rules for a list and for its elements. */
export const listRules = (path: string, check: Check): readonly Rule[] => [
  { path, check: list },
  { path: `${path}[]`, check },
];
