import { keyOf, type Manifest } from '../../../examples/manifest.ts';
import { type Api, inParallel, pathOf } from '../api.ts';
import type { ClusterSnapshot } from '../cluster-snapshot.ts';
import { load } from '../load.ts';

/** Replaces, or creates, the Endpoints of all Services without a selector, as a user would. Returns the number of these Services. */
export async function changeCustomEndpoints(api: Api, { services, endpoints }: ClusterSnapshot): Promise<number> {
  const changes = services
    .filter(({ spec }) => spec?.['selector'] === undefined && spec?.['type'] !== 'ExternalName')
    .map((service, number) => ({ service, desired: createEndpoints(service, number) }));
  await inParallel(changes, async ({ service, desired }) => {
    const { namespace, name } = service.metadata;
    if (!endpoints.has(keyOf(service))) await load(api, [desired]);
    else await api.mergePatch(pathOf('Endpoints', namespace, name), { ...desired, metadata: { labels: desired.metadata.labels } });
  });
  return changes.length;
}

/** Endpoints of both address types, with addresses that are not ready and, for every third Service, a port more in a second subset. */
function createEndpoints({ metadata: { namespace, name } }: Manifest, number: number): Manifest {
  const ip = (last: number): { ip: string } => ({ ip: `10.200.${number % 250}.${last}` });
  const ports = [{ name: 'sql', port: 5432, protocol: 'TCP' }];
  const second = { addresses: [ip(1), ip(3)], ports: [{ name: 'admin', port: 8080, protocol: 'TCP' }] };
  return {
    apiVersion: 'v1',
    kind: 'Endpoints',
    metadata: { name, ...(namespace !== undefined && { namespace }), labels: { written: 'by-hand' } },
    subsets: [
      { addresses: [ip(1), { ip: `fd00:200::${number}` }], notReadyAddresses: [ip(2)], ports },
      ...(number % 3 === 0 ? [second] : []),
    ],
  };
}
