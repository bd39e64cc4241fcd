import { portNumbers } from '../../oracle/policy/generate-objects.ts';

/** The fixed network of all worlds. A pod has a namespace on each node, and uses the one on the node of the world. */

export const nodeNames = ['n1', 'n2'] as const;
export type NodeName = (typeof nodeNames)[number];

/** A host outside of the cluster, behind the first node. */
export const OUTSIDE = 'outside';

/** The addresses of nodes, pods and others, as `conformance/oracle/policy/generate-objects.ts` generates them. */
export const nodeAddresses: Readonly<Record<NodeName, readonly string[]>> = {
  n1: ['192.168.0.1', 'fd00:1::1'],
  n2: ['192.168.0.2', 'fd00:1::2'],
};
export const outsideAddresses: readonly string[] = ['192.0.2.10', '10.0.0.200', '8.8.8.8', '2001:db8::1', 'fd00::ffff'];
export const podAddresses = (index: number): readonly string[] => [`10.0.0.${index + 1}`, `10.0.1.${index + 1}`, `fd00::${index + 1}`];

/** The largest number of pods of a world. */
export const podIndexes: readonly number[] = [0, 1, 2, 3, 4];

export const podNamespace = (index: number, node: string): string => `p${index}-${node}`;

/** The ports of policies and containers, and those at and next to the ends of their ranges, as the oracle generates them. */
export const ports: readonly number[] = [
  ...new Set(portNumbers.flatMap((port) => [0, 1, 30, 9000].flatMap((size) => [-1, 0, 1].map((step) => port + size + step)))),
];

export const isIPv6 = (address: string): boolean => address.includes(':');

/** Every namespace that sends and receives packets, with its addresses. */
export const hosts: readonly { readonly namespace: string; readonly addresses: readonly string[] }[] = [
  ...nodeNames.map((namespace) => ({ namespace, addresses: nodeAddresses[namespace] })),
  { namespace: OUTSIDE, addresses: outsideAddresses },
  ...podIndexes.flatMap((index) => nodeNames.map((node) => ({ namespace: podNamespace(index, node), addresses: podAddresses(index) }))),
];
