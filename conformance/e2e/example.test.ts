import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { generateCluster } from '../../examples/generate.ts';
import { keyOf, type Manifest } from '../../examples/manifest.ts';
import { DEFAULT_RELEASE } from './cluster.ts';
import { createClusterSnapshot } from './cluster-snapshot.ts';
import { compareState, isRewrittenAtEverySync } from './compare.ts';

const DIR = join(import.meta.dirname, '..', '..', 'examples', 'cluster');

function readManifests(name: string): Manifest[] {
  const text = readFileSync(join(DIR, name), 'utf8');
  if (name.endsWith('.json')) return (JSON.parse(text) as { items: Manifest[] }).items;
  return parseAllDocuments(text).map((document) => document.toJS() as Manifest);
}

const objects = readdirSync(DIR).flatMap(readManifests);
const snapshot = createClusterSnapshot(objects);
const pods = objects.filter(({ kind }) => kind === 'Pod');
const sortedKeys = (kind: string, manifests: readonly Manifest[]): string[] =>
  manifests
    .filter((object) => object.kind === kind)
    .map(keyOf)
    .sort();

interface PodView {
  readonly spec: {
    readonly nodeName?: string;
    readonly hostNetwork?: boolean;
    readonly hostname?: string;
    readonly initContainers?: readonly { readonly restartPolicy?: string; readonly ports?: readonly object[] }[];
  };
  readonly status: {
    readonly phase: string;
    readonly reason?: string;
    readonly podIP?: string;
    readonly podIPs?: readonly { readonly ip: string }[];
    readonly containerStatuses?: readonly { readonly state: { readonly waiting?: { readonly reason?: string } } }[];
  };
}
const addressesOf = (subsets: NonNullable<Manifest['subsets']>): unknown[] =>
  subsets.flatMap(({ addresses, notReadyAddresses }) => [...(addresses ?? []), ...(notReadyAddresses ?? [])].map(({ ip }) => ip));
const asPodView = (pod: Manifest): PodView => pod as unknown as PodView;

describe('the example cluster', () => {
  it('has the Endpoints that kube-controller-manager wrote, and these equal the computed ones', () => {
    const checks = compareState(snapshot, DEFAULT_RELEASE);
    expect(checks.filter(({ passed }) => !passed)).toEqual([]);
    expect(checks.length).toBeGreaterThan(200);
  });

  it('has the pods and Services that the generator creates', () => {
    const generated = generateCluster();
    for (const kind of ['Pod', 'Service']) expect(sortedKeys(kind, objects)).toEqual(sortedKeys(kind, generated));
  });

  it('has a realistic size, including truncated Endpoints', () => {
    expect(snapshot.services.length).toBeGreaterThanOrEqual(40);
    expect(pods.length).toBeGreaterThan(1300);
    expect(snapshot.endpoints.get('edge/cdn-cache')?.metadata.annotations).toHaveProperty(
      'endpoints.kubernetes.io/over-capacity',
      'truncated',
    );
  });

  it('contains only the known Services whose Endpoints kube-controller-manager rewrites at every sync', () => {
    const rewritten = snapshot.services.filter((service) => isRewrittenAtEverySync(service, snapshot.endpoints.get(keyOf(service))));
    expect(rewritten.map(keyOf).sort()).toEqual(['edge/cdn-cache', 'identity/oauth2-proxy', 'shop/legacy-storefront', 'shop/sessions']);
  });

  it.each<[string, (pod: Manifest) => boolean]>([
    ['terminating', ({ metadata }) => metadata.deletionTimestamp !== undefined],
    ['crashing', (pod) => asPodView(pod).status.containerStatuses?.[0]?.state.waiting?.reason === 'CrashLoopBackOff'],
    ['evicted, with an address', (pod) => asPodView(pod).status.reason === 'Evicted' && asPodView(pod).status.podIP !== undefined],
    ['completed, with an address', (pod) => asPodView(pod).status.phase === 'Succeeded' && asPodView(pod).status.podIP !== undefined],
    ['bound without an address', (pod) => asPodView(pod).spec.nodeName !== undefined && asPodView(pod).status.podIP === undefined],
    ['unschedulable', (pod) => asPodView(pod).spec.nodeName === undefined],
    ['on the host network', (pod) => asPodView(pod).spec.hostNetwork === true],
    ['named by a headless Service', (pod) => asPodView(pod).spec.hostname !== undefined],
    ['dual-stack, IPv6 first', (pod) => asPodView(pod).status.podIPs?.length === 2 && asPodView(pod).status.podIP?.includes(':') === true],
    [
      'with ports in a sidecar',
      (pod) => asPodView(pod).spec.initContainers?.some(({ restartPolicy, ports }) => restartPolicy && ports) === true,
    ],
  ])('has pods %s', (_, matches) => {
    expect(pods.filter(matches).length).toBeGreaterThan(1);
  });

  it.each<[string, string, (endpoints: Manifest) => boolean]>([
    ['three subsets, because revisions differ in one of two ports', 'shop/cart', ({ subsets }) => subsets?.length === 3],
    ['three subsets, one for each revision', 'fulfilment/stock', ({ subsets }) => subsets?.length === 3],
    ['no subset, because the selector matches no pod', 'fulfilment/carrier-tracking', ({ subsets }) => subsets === undefined],
    ['no subset, because no pod has the target port', 'shop/gift-cards', ({ subsets }) => subsets === undefined],
    ['addresses without ports', 'data/elasticsearch-discovery', ({ subsets }) => subsets?.[0] !== undefined && !subsets[0].ports],
    ['manual addresses', 'payments/acquirer-bank', ({ metadata }) => metadata.labels === undefined],
    [
      'one address three times',
      'monitoring/blackbox-exporter',
      ({ subsets = [] }) => addressesOf(subsets).join() === Array(3).fill('10.20.0.6').join(),
    ],
    ['IPv6 addresses', 'payments/card-vault', ({ subsets }) => subsets?.[0]?.addresses?.every(({ ip }) => ip?.includes(':')) === true],
  ])('has Endpoints with %s', (_, key, matches) => {
    const endpoints = snapshot.endpoints.get(key);
    expect(endpoints).toBeDefined();
    expect(matches(endpoints as Manifest)).toBe(true);
  });
});
