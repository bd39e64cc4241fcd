import { nameOf, namespaceOf } from '../../apimachinery/index.ts';
import type { Cluster } from '../cluster.ts';
import type { Target } from '../target.ts';
import type { Attempt } from './lookup.ts';
import { suggestions } from './suggest.ts';

/**
 * The name as it was given, where it is one of others: the cluster's DNS hands it on, its last label is no namespace, and no Service of the
 * cluster is nearly of that name. A single label is one of a Service, whoever else may know it.
 */
export function nameOfOthers({ host }: Target, attempts: readonly Attempt[], cluster: Cluster): Attempt | undefined {
  const name = host.endsWith('.') ? host : `${host}.`;
  const own = attempts.find((each) => each.name === name && each.isOfOthers);
  const labels = name.toLowerCase().split('.').slice(0, -1);
  const last = labels.at(-1) ?? '';
  if (!own || labels.length < 2 || last === 'svc' || last === 'pod' || isNamespace(last, cluster)) return undefined;
  // with a search path before it, the last label is asked for as a Service, too, which nobody meant
  const meant = attempts.filter(({ request }) => request?.namespace === last);
  return suggestions(meant, cluster).length > 0 ? undefined : own;
}

const isNamespace = (name: string, { objects: { namespaces, services, pods } }: Cluster): boolean =>
  !!namespaces?.some((each) => nameOf(each) === name) || [...services, ...pods].some((each) => namespaceOf(each) === name);
