import { isDeepStrictEqual } from 'node:util';
import type { Selection } from 'kube-endpoints/internal';
import { type ApiObject, type ObjectKey, type Resource, resources } from 'kube-endpoints/port';

/** A resource for the model. Writes change labels, annotations and the status, if any. */
export interface PlayKind {
  readonly resource: Resource;
  /** The required fields besides metadata. */
  readonly body: Readonly<Record<string, unknown>>;
  /** A status that identifies its write; absent without a status subresource. */
  status?(mark: string, phase: string): Readonly<Record<string, unknown>>;
  /** The selections of watches and lists. */
  readonly scopes: readonly Scope[];
}

/** A part of a resource, as a request selects it and as the model computes it. */
export interface Scope extends Selection {
  matches(object: ApiObject): boolean;
  /** Whether only a namespace is selected. */
  readonly whole: boolean;
}

const labelsOf = ({ metadata: { labels = {} } }: ApiObject): Readonly<Record<string, string>> => labels;
const phaseOf = ({ status }: ApiObject): unknown => (status as { readonly phase?: string } | undefined)?.phase;

const all: Scope = { matches: () => true, whole: true };
const web: Scope = { labelSelector: 'app=web', matches: (object) => labelsOf(object)['app'] === 'web', whole: false };
const none: Scope = { labelSelector: '!app', matches: (object) => labelsOf(object)['app'] === undefined, whole: false };
const named: Scope = { fieldSelector: 'metadata.name=a', matches: ({ metadata }) => metadata.name === 'a', whole: false };
const inNamespace: Scope = { namespace: 'one', matches: ({ metadata }) => metadata.namespace === 'one', whole: true };
const mixed: Scope = {
  namespace: 'two',
  labelSelector: 'app in (web,db),tier',
  matches: (object) =>
    object.metadata.namespace === 'two' && ['web', 'db'].includes(labelsOf(object)['app'] ?? '') && labelsOf(object)['tier'] !== undefined,
  whole: false,
};
const running: Scope = { fieldSelector: 'status.phase=Running', matches: (object) => phaseOf(object) === 'Running', whole: false };

export const playKinds: readonly PlayKind[] = [
  {
    resource: { group: '', version: 'v1', plural: 'configmaps', kind: 'ConfigMap', namespaced: true },
    body: {},
    scopes: [all, web, none, named, inNamespace, mixed],
  },
  {
    resource: resources.pods,
    body: { spec: { containers: [{ name: 'c', image: 'image' }], terminationGracePeriodSeconds: 0 } },
    status: (message, phase) => ({ phase, message }),
    scopes: [all, web, inNamespace, mixed, running],
  },
  {
    resource: resources.nodes,
    body: {},
    status: (mark, phase) => ({ phase, conditions: [{ type: 'Ready', status: 'True', message: mark }] }),
    scopes: [all, web, none, named],
  },
  {
    resource: resources.endpointSlices,
    body: { addressType: 'IPv4', endpoints: [], ports: [] },
    scopes: [all, none, inNamespace, mixed],
  },
];

/** For example "two/a", or "a" for a cluster-scoped object; sorts in list order. */
export const keyOf = ({ metadata: { namespace, name = '' } }: ApiObject): string => keyFrom({ ...(namespace && { namespace }), name });
export const keyFrom = ({ namespace, name }: ObjectKey): string => (namespace ? `${namespace}/${name}` : name);

export const versionOf = ({ metadata: { resourceVersion = '0' } }: ApiObject): number => Number(resourceVersion);

/** Whether two views of an object are equal; lists omit its type. */
export function sameObject(one: ApiObject, other: ApiObject): boolean {
  return one === other || isDeepStrictEqual({ ...one, apiVersion: '', kind: '' }, { ...other, apiVersion: '', kind: '' });
}
