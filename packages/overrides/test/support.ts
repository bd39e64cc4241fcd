import type { EndpointSliceInput, EndpointsInput, Pod } from 'kube-endpoints/types';
import { applyJsonPatch } from '../../apiserver/src/patch/json-patch.ts';
import { createOverrides, type EndpointOverrides, type OverrideRequest, type OverrideResult, type OverrideRule } from '../src/index.ts';

export const noon: Date = new Date('2026-03-04T12:00:00Z');
/** Returns a time this many seconds after noon. */
export const dateAtSecond = (seconds: number): Date => new Date(noon.getTime() + seconds * 1000);

export const createAddress = (name: string, ip: string, more: object = {}): object => ({
  ip,
  nodeName: 'n1',
  targetRef: { kind: 'Pod', namespace: 'shop', name, uid: `uid-${name}` },
  ...more,
});

const http = [{ name: 'http', port: 8080, protocol: 'TCP' }];

/** Endpoints of shop/web. Each letter is a pod name: "a" has the IP 10.0.0.1, "b" 10.0.0.2 and so on. */
export function createEndpoints(ready: string, notReady = '', metadata: object = {}): EndpointsInput {
  const list = (names: string) => [...names].map((name) => createAddress(name, ipOf(name)));
  const subset = {
    ...(ready !== '' && { addresses: list(ready) }),
    ...(notReady !== '' && { notReadyAddresses: list(notReady) }),
    ports: http,
  };
  const object = {
    apiVersion: 'v1',
    kind: 'Endpoints',
    metadata: { name: 'web', namespace: 'shop', ...metadata },
    ...(ready + notReady !== '' && { subsets: [subset] }),
  };
  return object as EndpointsInput;
}

export const ipOf = (name: string): string => `10.0.0.${name.charCodeAt(0) - 96}`;

/** An EndpointSlice of shop/web, by pod names as in `endpoints`; capital letters are terminating endpoints. */
export function createSlice(ready: string, notReady = '', metadata: object = {}): EndpointSliceInput {
  const list = (names: string, isReady: boolean) =>
    [...names].map((name) => {
      const terminating = name !== name.toLowerCase();
      return endpoint(name.toLowerCase(), { ready: isReady && !terminating, serving: isReady, terminating });
    });
  const object = {
    apiVersion: 'discovery.k8s.io/v1',
    kind: 'EndpointSlice',
    metadata: { name: 'web-1', namespace: 'shop', labels: { 'kubernetes.io/service-name': 'web' }, ...metadata },
    addressType: 'IPv4',
    endpoints: [...list(ready, true), ...list(notReady, false)],
    ports: http,
  };
  return object as EndpointSliceInput;
}

const endpoint = (name: string, conditions: object): object => ({
  addresses: [ipOf(name)],
  conditions,
  nodeName: 'n1',
  zone: name < 'c' ? 'east' : 'west',
  targetRef: { kind: 'Pod', namespace: 'shop', name, uid: `uid-${name}` },
});

/** Formats as "ready/not ready", by pod names. */
export function formatReadiness(object: object): string {
  const { subsets = [], endpoints: list = [] } = object as {
    subsets?: { addresses?: { targetRef: { name: string } }[]; notReadyAddresses?: { targetRef: { name: string } }[] }[];
    endpoints?: { conditions: { ready?: boolean }; targetRef: { name: string } }[];
  };
  const names = (items: readonly { targetRef: { name: string } }[] = []) => items.map(({ targetRef }) => targetRef.name);
  const ready = [
    ...subsets.flatMap((subset) => names(subset.addresses)),
    ...names(list.filter(({ conditions }) => conditions.ready !== false)),
  ];
  const notReady = [
    ...subsets.flatMap((subset) => names(subset.notReadyAddresses)),
    ...names(list.filter(({ conditions }) => conditions.ready === false)),
  ];
  return `${ready.sort().join('')}/${notReady.sort().join('')}`;
}

export const createPod = (
  name: string,
  more: { labels?: object; ready?: boolean; since?: string; namespace?: string; ip?: string } = {},
): Pod =>
  ({
    metadata: { name, namespace: more.namespace ?? 'shop', uid: `uid-${name}`, labels: more.labels ?? {} },
    status: {
      phase: 'Running',
      podIP: more.ip ?? ipOf(name),
      conditions: [{ type: 'Ready', status: more.ready === false ? 'False' : 'True', lastTransitionTime: more.since }],
    },
  }) as Pod;

/** Rules named r0, r1 and so on. */
export const createRules = (...list: readonly Partial<OverrideRule>[]): EndpointOverrides => ({
  rules: list.map((rule, index) => ({ name: `r${index}`, ...rule }) as OverrideRule),
});

/** Applies rules and checks the invariants of every result. */
export function applyRules(set: EndpointOverrides, object: OverrideRequest['object'], more: Partial<OverrideRequest> = {}): OverrideResult {
  const result = createOverrides(set).apply({ operation: more.oldObject ? 'UPDATE' : 'CREATE', object, now: noon, ...more });
  const patched = applyJsonPatch(toPlainJson(object), toPlainJson(result.patch)).value;
  if (JSON.stringify(sortKeys(patched)) !== JSON.stringify(sortKeys(toPlainJson(result.object)))) {
    throw new Error(`the patch does not produce the object: ${JSON.stringify(patched)} for ${JSON.stringify(result.object)}`);
  }
  if (result.changed !== result.patch.length > 0) throw new Error('`changed` and the patch disagree');
  return result;
}

export const toPlainJson = <T>(value: T): Record<string, never> => JSON.parse(JSON.stringify(value));

export function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.keys(value)
      .sort()
      .map((key) => [key, sortKeys((value as Record<string, unknown>)[key])]),
  );
}
