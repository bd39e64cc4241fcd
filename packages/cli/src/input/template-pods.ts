import type { Workload } from 'kube-endpoints/explain';
import { isOwned, templateOf } from 'kube-endpoints/internal';
import { namespaceOf } from 'kube-endpoints/internal/apimachinery';
import type { Pod } from 'kube-endpoints/types';
import { type Inventory, listWorkloads } from './collection.ts';

/** Creates a ready pod with placeholder addresses from the template of each workload that should have pods. */
export function createTemplatePods(inventory: Pick<Inventory, 'related'>): Pod[] {
  const workloads: readonly Workload[] = listWorkloads(inventory);
  const names = new Set<string>();
  return workloads.filter(hasPods).map((workload, index) => {
    const { metadata, spec } = templateOf(workload) ?? {};
    const isStatefulSet = workload.kind === 'StatefulSet';
    const namespace = namespaceOf(workload);
    // Workloads of different kinds may have the same name.
    const name = findFreeName(`${workload.metadata?.name}${isStatefulSet ? '-0' : ''}`, namespace, names);
    const ip = `198.19.${(index >> 8) & 255}.${index & 255}`;
    return {
      metadata: { ...metadata, namespace, name },
      ...(spec && { spec: { ...spec, ...(isStatefulSet && { hostname: name, subdomain: workload.spec?.serviceName }) } }),
      status: {
        phase: 'Running',
        podIP: ip,
        podIPs: [{ ip }, { ip: `2001:db8:1::${index.toString(16)}` }],
        conditions: [{ type: 'Ready', status: 'True' }],
      },
    };
  });
}

/** Owned workloads only repeat the template of their owner. */
const hasPods = (workload: Workload): boolean => !isOwned(workload) && workload.spec?.replicas !== 0 && workload.spec?.suspend !== true;

function findFreeName(name: string, namespace: string, names: Set<string>): string {
  let candidate = name;
  for (let number = 2; names.has(`${namespace}/${candidate}`); number++) candidate = `${name}-${number}`;
  names.add(`${namespace}/${candidate}`);
  return candidate;
}
