import { editDistance, nameOf, namespaceOf, objectKey } from '../../apimachinery/index.ts';
import type { Cluster } from '../cluster.ts';
import { createNote, enumerate } from '../reasons.ts';
import type { Target } from '../target.ts';
import type { TraceNote } from '../trace.ts';
import type { Attempt } from './lookup.ts';

/** Suggests Services for names without records: the same name in a different namespace, or else a similar name. */
export function suggestServices(attempts: readonly Pick<Attempt, 'request'>[], cluster: Cluster): TraceNote[] {
  const { services } = cluster.objects;
  const requestedServices = attempts.flatMap(({ request }) =>
    request?.service && request.namespace ? [{ ...request, service: request.service }] : [],
  );
  for (const { service } of requestedServices) {
    const servicesWithName = services.filter((each) => nameOf(each) === service);
    const [firstService] = servicesWithName;
    if (!firstService) continue;
    const values = { service, namespaces: enumerate(servicesWithName.map(namespaceOf)), name: `${service}.${namespaceOf(firstService)}` };
    return [createNote('ServiceInOtherNamespace', values, 'service.metadata.namespace')];
  }
  const similarServices = requestedServices.flatMap(({ service, namespace = '' }) =>
    services
      .map((found) => ({
        found,
        requested: `${namespace}/${service}`,
        distance: editDistance(objectKey(found), `${namespace}/${service}`, maxDistance),
      }))
      .filter(({ distance }) => distance <= maxDistance),
  );
  const nearestService = similarServices.toSorted((a, b) => a.distance - b.distance)[0];
  if (!nearestService) return [];
  const { found, requested } = nearestService;
  return [
    createNote(
      'SimilarService',
      { requested, service: objectKey(found), name: `${nameOf(found)}.${namespaceOf(found)}` },
      'service.metadata.name',
    ),
  ];
}

/** Maximum edit distance of a suggestion. */
const maxDistance = 2;

/**
 * Returns the attempt for the given name if the name belongs to another DNS server: the cluster's DNS forwards the name, its last label is
 * not a namespace, and no Service has a similar name. A single label always counts as a Service name.
 */
export function findForwardedName({ host }: Target, attempts: readonly Attempt[], cluster: Cluster): Attempt | undefined {
  const name = host.endsWith('.') ? host : `${host}.`;
  const forwardedAttempt = attempts.find((each) => each.name === name && each.isForwarded);
  const labels = name.toLowerCase().split('.').slice(0, -1);
  const lastLabel = labels.at(-1) ?? '';
  if (!forwardedAttempt || labels.length < 2 || lastLabel === 'svc' || lastLabel === 'pod' || isNamespace(lastLabel, cluster))
    return undefined;
  // Ignores the names with a search domain appended, in which the last label is parsed as a Service name.
  const namespacedAttempts = attempts.filter(({ request }) => request?.namespace === lastLabel);
  return suggestServices(namespacedAttempts, cluster).length > 0 ? undefined : forwardedAttempt;
}

const isNamespace = (name: string, { objects: { namespaces, services, pods } }: Cluster): boolean =>
  !!namespaces?.some((each) => nameOf(each) === name) || [...services, ...pods].some((each) => namespaceOf(each) === name);
