import type { Node } from 'kube-endpoints/types';
import type { Random } from '../random.ts';
import type { SliceTraits } from './slices-themes.ts';

/** Creates nodes in up to four zones: identical and evenly spread, or individual. */
export function makeNodes(random: Random, traits: SliceTraits): Node[] {
  const isUniform = random.chance(traits.even);
  const zones = isUniform ? random.pick([2, 2, 3, 3, 4]) : random.int(5);
  const count = isUniform ? zones * (1 + random.int(Math.max(1, traits.nodes / zones))) : random.int(traits.nodes + 1);
  const cpu = random.pick(capacities);
  return Array.from({ length: count }, (_, i) => {
    const isUnusual = !isUniform && random.chance(traits.oddNodes * 3);
    const zone = zones > 0 && !random.chance(traits.oddNodes / 3) ? `zone-${isUniform ? i % zones : random.int(zones)}` : undefined;
    return {
      metadata: {
        name: nodeName(i),
        labels: {
          'kubernetes.io/hostname': nodeName(i),
          ...(zone !== undefined && { [zoneLabel]: zone }),
          ...random.maybe(traits.oddNodes / 6, () => ({ [zoneLabel]: '' })),
          ...random.maybe(traits.oddNodes / 2, () => ({ [random.pick(excludingLabels)]: '' })),
        },
      },
      status: {
        ...random.maybe(1 - traits.oddNodes / 8, () => ({
          allocatable: { cpu: isUnusual ? random.pick(capacities) : cpu, memory: '8Gi' },
        })),
        conditions: [
          { type: 'MemoryPressure', status: 'False' },
          ...(random.maybe(0.98, () => [
            { type: 'Ready', status: random.chance(isUnusual ? 0.2 : 0.01) ? random.pick(['False', 'Unknown']) : 'True' },
          ]) ?? []),
        ],
      },
    };
  });
}

export const nodeName = (i: number): string => `node-${i}`;

const zoneLabel = 'topology.kubernetes.io/zone';
const excludingLabels = ['node-role.kubernetes.io/control-plane', 'node-role.kubernetes.io/master'];

/** CPU quantities in common and unusual notations. */
const capacities = ['4', '4', '4', '8', '500m', '1.5', '2k', '0', '3920m', '16', '0.25', '1e1', '1Ki', '1500000u'];
