import { isDeepStrictEqual } from 'node:util';
import type { Selection } from 'kube-endpoints/internal';
import { type ApiObject, type ObjectKey, type Resource, resources } from 'kube-endpoints/port';

/** A resource to play with. Everything that writes change is in labels, annotations and, where it has one, a status. */
export interface PlayKind {
  readonly resource: Resource;
  /** What an object has to have beside its metadata. */
  readonly body: Readonly<Record<string, unknown>>;
  /** A status that says which write it comes from; absent: there is none apart. */
  status?(mark: string, phase: string): Readonly<Record<string, unknown>>;
  /** What somebody may look at. */
  readonly scopes: readonly Scope[];
}

/** A part of a resource: as the server is told, and as the model knows it. */
export interface Scope extends Selection {
  matches(object: ApiObject): boolean;
  /** Whether nothing is selected but a namespace. */
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

/** "two/a", or "a" of what is in no namespace: in the order of lists. */
export const placeOf = ({ metadata: { namespace, name = '' } }: ApiObject): string => placeAt({ ...(namespace && { namespace }), name });
export const placeAt = ({ namespace, name }: ObjectKey): string => (namespace ? `${namespace}/${name}` : name);

export const versionOf = ({ metadata: { resourceVersion = '0' } }: ApiObject): number => Number(resourceVersion);

/** What of an object has to be the same wherever it is shown; lists leave its type out. */
export function sameObject(one: ApiObject, other: ApiObject): boolean {
  return one === other || isDeepStrictEqual({ ...one, apiVersion: '', kind: '' }, { ...other, apiVersion: '', kind: '' });
}
