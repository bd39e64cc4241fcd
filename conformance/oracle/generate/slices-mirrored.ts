import type { EndpointAddressInput, EndpointSliceInput, EndpointsInput } from 'kube-endpoints/types';
import type { Random } from '../random.ts';

/** The random parameters that all objects of one mirroring case share. */
export interface MirrorWorld {
  readonly random: Random;
  readonly namespace: string;
  readonly name: string;
  readonly max: number;
  readonly manyPods: boolean;
}

/** An annotation that is not mirrored. */
export const lastApplied = 'kubectl.kubernetes.io/last-applied-configuration';
export const triggerTime = 'endpoints.kubernetes.io/last-change-trigger-time';

/** Creates slices as the controller might have left them, some of them changed by other writers. */
export function makeMirrorSlices(world: MirrorWorld, { metadata, subsets }: EndpointsInput): EndpointSliceInput[] {
  const { random, namespace, name } = world;
  const { 'endpointslice.kubernetes.io/skip-mirror': _, ...labels } = metadata?.labels ?? {};
  const { [lastApplied]: __, [triggerTime]: ___, ...annotations } = metadata?.annotations ?? {};
  const mirroredSlices = (subsets ?? []).flatMap(({ addresses, notReadyAddresses, ports }) =>
    ['IPv4', 'IPv6'].flatMap((addressType) => {
      const hasType = ({ ip }: EndpointAddressInput): boolean => (ip ?? '').includes(':') === (addressType === 'IPv6');
      const endpoints = [
        ...(addresses ?? []).filter(hasType).map((a) => toEndpoint(a, true)),
        ...(notReadyAddresses ?? []).filter(hasType).map((a) => toEndpoint(a, false)),
      ];
      return endpoints.length > 0
        ? [{ addressType, endpoints, ports: (ports ?? []).map((port) => ({ ...port, name: port.name ?? '' })) }]
        : [];
    }),
  );
  const possiblyRepeatedSlices = random.chance(0.15) ? [...mirroredSlices, ...mirroredSlices] : mirroredSlices;
  return possiblyRepeatedSlices.map((slice, i) => {
    const mirror: EndpointSliceInput = {
      ...slice,
      metadata: {
        name: `${name}-m${i}`,
        namespace,
        uid: `slice-${i}`,
        resourceVersion: String(20 + i),
        generation: 2 + random.int(2),
        labels: {
          ...labels,
          'kubernetes.io/service-name': name,
          'endpointslice.kubernetes.io/managed-by': 'endpointslicemirroring-controller.k8s.io',
        },
        annotations: random.chance(0.7) ? annotations : random.maybe(0.8, () => ({ note: random.pick(['x', 'y']) })),
        ownerReferences: [
          {
            apiVersion: 'v1',
            kind: 'Endpoints',
            name,
            uid: random.chance(0.85) ? 'endpoints-1' : 'former',
            controller: true,
            blockOwnerDeletion: true,
          },
        ],
      },
    };
    return random.chance(0.3) ? random.pick(alterations)(mirror) : mirror;
  });
}

const toEndpoint = (
  { ip, hostname, nodeName, targetRef }: EndpointAddressInput,
  ready: boolean,
): NonNullable<EndpointSliceInput['endpoints']>[number] => ({
  addresses: [ip ?? ''],
  conditions: { ready },
  ...(hostname && { hostname }),
  ...(nodeName !== undefined && { nodeName }),
  ...(targetRef && { targetRef }),
});

const alterations: readonly ((slice: EndpointSliceInput) => EndpointSliceInput)[] = [
  (s) => ({ ...s, metadata: { ...s.metadata, labels: { ...s.metadata?.labels, 'endpointslice.kubernetes.io/managed-by': 'somebody' } } }),
  (s) => ({ ...s, metadata: { ...s.metadata, labels: { ...s.metadata?.labels, extra: 'x' } } }),
  (s) => ({ ...s, metadata: { ...s.metadata, ownerReferences: undefined } }),
  (s) => ({
    ...s,
    metadata: {
      ...s.metadata,
      ownerReferences: [...(s.metadata?.ownerReferences ?? []), { apiVersion: 'v1', kind: 'Pod', name: 'p', uid: 'p' }],
    },
  }),
  (s) => ({ ...s, metadata: { ...s.metadata, annotations: { other: 'z' } } }),
  (s) => ({ ...s, metadata: { ...s.metadata, deletionTimestamp: '2025-11-05T00:00:00Z' } }),
  (s) => ({ ...s, endpoints: s.endpoints?.slice(1) }),
  (s) => ({ ...s, endpoints: [...(s.endpoints ?? []), ...(s.endpoints ?? [])] }),
  (s) => ({ ...s, endpoints: s.endpoints?.map((e) => ({ ...e, conditions: {} })) }),
  (s) => ({ ...s, endpoints: null }),
  (s) => ({ ...s, ports: null }),
  (s) => ({ ...s, ports: [...(s.ports ?? [])].reverse() }),
  (s) => ({ ...s, addressType: 'FQDN' }),
];
