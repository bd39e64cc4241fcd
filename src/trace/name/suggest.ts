import { nameOf, namespaceOf, objectKey } from '../../apimachinery/index.ts';
import type { Cluster } from '../cluster.ts';
import { enumerate, note } from '../reasons.ts';
import type { Target } from '../target.ts';
import type { TraceNote } from '../trace.ts';
import type { Attempt } from './lookup.ts';

/** Suggestions for names without records: the same Service in another namespace, or a Service with a similar name. */
export function suggestServices(attempts: readonly Attempt[], cluster: Cluster): TraceNote[] {
  const { services } = cluster.objects;
  const requestedServices = attempts.flatMap(({ request }) =>
    request?.service && request.namespace ? [{ ...request, service: request.service }] : [],
  );
  for (const { service } of requestedServices) {
    const servicesWithName = services.filter((each) => nameOf(each) === service);
    const [firstService] = servicesWithName;
    if (!firstService) continue;
    const values = { service, namespaces: enumerate(servicesWithName.map(namespaceOf)), name: `${service}.${namespaceOf(firstService)}` };
    return [note('ServiceInOtherNamespace', values, 'service.metadata.namespace')];
  }
  const similarServices = requestedServices.flatMap(({ service, namespace = '' }) =>
    services
      .map((each) => ({ each, requested: `${namespace}/${service}`, distance: editDistance(objectKey(each), `${namespace}/${service}`) }))
      .filter(({ distance }) => distance <= maxDistance),
  );
  const nearest = similarServices.toSorted((a, b) => a.distance - b.distance)[0];
  if (!nearest) return [];
  const { each, requested } = nearest;
  return [
    note('SimilarService', { requested, service: objectKey(each), name: `${nameOf(each)}.${namespaceOf(each)}` }, 'service.metadata.name'),
  ];
}

/** Maximum edit distance of a suggestion. */
const maxDistance = 2;

/** The edit distance of two names; stops counting above `maxDistance`. */
function editDistance(a: string, b: string): number {
  if (Math.abs(a.length - b.length) > maxDistance) return maxDistance + 1;
  let row = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (const [i, letter] of [...a].entries()) {
    const nextRow = [i + 1];
    for (let j = 1; j <= b.length; j++) {
      const change = (row[j - 1] as number) + (letter === b[j - 1] ? 0 : 1);
      nextRow.push(Math.min(change, (row[j] as number) + 1, (nextRow[j - 1] as number) + 1));
    }
    row = nextRow;
    if (Math.min(...row) > maxDistance) return maxDistance + 1;
  }
  return row[b.length] as number;
}

/**
 * Returns the attempt for the given name if the name belongs to another DNS server: the cluster's DNS forwards the name, its last label is
 * not a namespace, and no Service has a similar name. A single label always counts as a Service name.
 */
export function findForwardedName({ host }: Target, attempts: readonly Attempt[], cluster: Cluster): Attempt | undefined {
  const name = host.endsWith('.') ? host : `${host}.`;
  const forwarded = attempts.find((each) => each.name === name && each.isForwarded);
  const labels = name.toLowerCase().split('.').slice(0, -1);
  const lastLabel = labels.at(-1) ?? '';
  if (!forwarded || labels.length < 2 || lastLabel === 'svc' || lastLabel === 'pod' || isNamespace(lastLabel, cluster)) return undefined;
  // Ignores the names with a search domain appended, in which the last label is parsed as a Service name.
  const namespacedAttempts = attempts.filter(({ request }) => request?.namespace === lastLabel);
  return suggestServices(namespacedAttempts, cluster).length > 0 ? undefined : forwarded;
}

const isNamespace = (name: string, { objects: { namespaces, services, pods } }: Cluster): boolean =>
  !!namespaces?.some((each) => nameOf(each) === name) || [...services, ...pods].some((each) => namespaceOf(each) === name);
