import { zoneLabel } from 'kube-endpoints/internal';
import type { ApiObject } from 'kube-endpoints/port';
import type { Node } from 'kube-endpoints/types';
import { type InternTable, noInterning } from './intern.ts';
import { only, projectMetadata } from './metadata.ts';

type Status = NonNullable<Node['status']>;

/** A node as far as slices look at it: its name, its zone, whether it is of the control plane, whether it is ready, and its CPU. */
export function projectNode({ metadata, status }: ApiObject, table: InternTable = noInterning): Node {
  const { conditions, allocatable } = (status ?? {}) as Status;
  const ready = conditions?.find(({ type }) => type === 'Ready');
  const cpu = allocatable?.['cpu'];
  return {
    metadata: projectMetadata(metadata, only(metadata.labels, readLabels), table),
    status: {
      ...(ready && { conditions: table.value([{ type: 'Ready', status: ready.status }]) }),
      ...(cpu !== undefined && { allocatable: table.value({ cpu }) }),
    },
  };
}

const readLabels: readonly string[] = [zoneLabel, 'node-role.kubernetes.io/control-plane', 'node-role.kubernetes.io/master'];
