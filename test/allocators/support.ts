import { type AllocatorSettings, allocatorSettings } from '../../src/allocators/gates.ts';
import {
  type AllocatableService,
  createIPBitmap,
  createPortAllocator,
  type Draw,
  type ServiceAllocators,
} from '../../src/allocators/index.ts';
import { createDraft, type Draft } from '../../src/allocators/service/draft.ts';
import type { IPFamily } from '../../src/types/index.ts';

/** Always draws the first candidate. */
export const drawLowest: Draw = () => 0;

export const settings: AllocatorSettings = allocatorSettings('1.36');
export const settings117: AllocatorSettings = allocatorSettings('1.17');

type Spec = NonNullable<AllocatableService['spec']>;

export const service = (spec: Spec): AllocatableService => ({ metadata: { name: 'web', namespace: 'shop' }, spec });

export const draft = (spec: Spec): Draft => createDraft(service(spec));

/** Creates allocators with small ranges; by default for both families, IPv4 first. */
export function createAllocators(
  families: readonly IPFamily[] = ['IPv4', 'IPv6'],
  version = '1.36',
  ports = '30000-30015',
): ServiceAllocators {
  const cidrs = { IPv4: '10.0.0.0/29', IPv6: 'fd00::/125' };
  return {
    clusterIPs: Object.fromEntries(families.map((family) => [family, createIPBitmap({ cidr: cidrs[family], draw: drawLowest, version })])),
    defaultFamily: families[0] ?? 'IPv4',
    nodePorts: createPortAllocator({ range: ports, draw: drawLowest, version }),
  };
}

/** Lists all allocated addresses and ports. */
export function allocatedValues({ clusterIPs, nodePorts }: ServiceAllocators): (string | number)[] {
  const list: (string | number)[] = [];
  for (const each of Object.values(clusterIPs)) {
    each.forEach((address) => {
      list.push(address);
    });
  }
  nodePorts.forEach((port) => {
    list.push(port);
  });
  return list;
}

/** Collects visited values in a list. */
export function listOf<T>({ forEach }: { forEach(visit: (value: T) => void): void }): T[] {
  const list: T[] = [];
  forEach((value) => {
    list.push(value);
  });
  return list;
}
