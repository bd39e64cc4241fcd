import { isDeepStrictEqual } from 'node:util';
import type { Selection } from 'kube-endpoints/internal/apimachinery';
import { type ApiObject, type ObjectKey, type Resource, resources } from 'kube-endpoints/port';

/** A resource under test. Writes change labels, annotations and the status, if any. */
export interface TestedKind {
  readonly resource: Resource;
  /** The required fields besides metadata. */
  readonly body: Readonly<Record<string, unknown>>;
  /** A status that identifies its write; absent without a status subresource. */
  status?(mark: string, phase: string): Readonly<Record<string, unknown>>;
  /** The selections of watches and lists. */
  readonly scopes: readonly Scope[];
}

/** A selection of objects, as a request expresses it and as a predicate. */
export interface Scope extends Selection {
  matches(object: ApiObject): boolean;
  /** True if it selects by namespace only, or not at all. */
  readonly hasNoSelector: boolean;
}

const labelsOf = ({ metadata: { labels = {} } }: ApiObject): Readonly<Record<string, string>> => labels;
const phaseOf = ({ status }: ApiObject): unknown => (status as { readonly phase?: string } | undefined)?.phase;

const allObjectsScope: Scope = { matches: () => true, hasNoSelector: true };
const webScope: Scope = { labelSelector: 'app=web', matches: (object) => labelsOf(object)['app'] === 'web', hasNoSelector: false };
const unlabeledScope: Scope = { labelSelector: '!app', matches: (object) => labelsOf(object)['app'] === undefined, hasNoSelector: false };
const nameScope: Scope = { fieldSelector: 'metadata.name=a', matches: ({ metadata }) => metadata.name === 'a', hasNoSelector: false };
const namespaceScope: Scope = { namespace: 'one', matches: ({ metadata }) => metadata.namespace === 'one', hasNoSelector: true };
const combinedScope: Scope = {
  namespace: 'two',
  labelSelector: 'app in (web,db),tier',
  matches: (object) =>
    object.metadata.namespace === 'two' && ['web', 'db'].includes(labelsOf(object)['app'] ?? '') && labelsOf(object)['tier'] !== undefined,
  hasNoSelector: false,
};
const runningScope: Scope = {
  fieldSelector: 'status.phase=Running',
  matches: (object) => phaseOf(object) === 'Running',
  hasNoSelector: false,
};

export const testedKinds: readonly TestedKind[] = [
  {
    resource: { group: '', version: 'v1', plural: 'configmaps', kind: 'ConfigMap', namespaced: true },
    body: {},
    scopes: [allObjectsScope, webScope, unlabeledScope, nameScope, namespaceScope, combinedScope],
  },
  {
    resource: resources.pods,
    body: { spec: { containers: [{ name: 'c', image: 'image' }], terminationGracePeriodSeconds: 0 } },
    status: (message, phase) => ({ phase, message }),
    scopes: [allObjectsScope, webScope, namespaceScope, combinedScope, runningScope],
  },
  {
    resource: resources.nodes,
    body: {},
    status: (mark, phase) => ({ phase, conditions: [{ type: 'Ready', status: 'True', message: mark }] }),
    scopes: [allObjectsScope, webScope, unlabeledScope, nameScope],
  },
  {
    resource: resources.endpointSlices,
    body: { addressType: 'IPv4', endpoints: [], ports: [] },
    scopes: [allObjectsScope, unlabeledScope, namespaceScope, combinedScope],
  },
];

/** For example "two/a", or "a" for a cluster-scoped object; sorts in list order. */
export const keyOf = ({ metadata: { namespace, name = '' } }: ApiObject): string => keyFrom({ ...(namespace && { namespace }), name });
export const keyFrom = ({ namespace, name }: ObjectKey): string => (namespace ? `${namespace}/${name}` : name);

export const versionOf = ({ metadata: { resourceVersion = '0' } }: ApiObject): number => Number(resourceVersion);

/** True if two copies of an object are equal, except for apiVersion and kind, which list items omit. */
export function sameObject(a: ApiObject, b: ApiObject): boolean {
  return a === b || isDeepStrictEqual({ ...a, apiVersion: '', kind: '' }, { ...b, apiVersion: '', kind: '' });
}
