import { type Bucket, hasAddresses } from './bucket.ts';
import { foundItems, type Item } from './found.ts';
import { listOf } from './lookup-reasons.ts';
import { findInService } from './lookup-services.ts';
import { reasonOf } from './reasons.ts';
import { type Asked, isWild, matches, type NameRequest } from './request.ts';
import { empty, hiddenNamespace, type Lookup, missing, type World } from './world.ts';

/**
 * All Services that a name with wildcards asks for. It is the one answer that goes through Services that it does not hold.
 *
 * Mirrors findServices (CoreDNS 1.8, plugin/kubernetes/kubernetes.go).
 */
export function findWildcards(world: World, asked: Asked, request: NameRequest): Lookup {
  const { gates } = world.settings;
  const items: Item[] = [];
  const services: string[] = [];
  let anyEndpoints: boolean | undefined;
  const hasEndpoints = (): boolean => {
    anyEndpoints ??= [...world.store.buckets()].some(hasAddresses);
    return anyEndpoints;
  };
  for (const bucket of candidates(world, request)) {
    if (!bucket.service) continue;
    const { exists, found } = findInService(bucket, bucket.service, request, world.settings, hasEndpoints);
    if (!exists) continue;
    for (const item of found.items) items.push(item);
    services.push(bucket.service.key);
  }
  if (services.length > 0) {
    return {
      exists: true,
      found: foundItems(items),
      reason: reasonOf('WildcardServices', { name: asked.name, services: listOf(services) }),
    };
  }
  const reason = reasonOf('WildcardMatchesNothing', { name: asked.name });
  return isWild(request.namespace, gates) ? missing(reason) : empty(reason);
}

/** In the order of their names, so that answers do not depend on the order in which Services came. */
function candidates(world: World, { namespace, service }: NameRequest): readonly Bucket[] {
  const { gates } = world.settings;
  const visible = isWild(namespace, gates) ? (name: string) => hiddenNamespace(world, name) === undefined : () => true;
  return [...world.store.buckets()]
    .filter((bucket) => matches(namespace, bucket.namespace, gates) && matches(service, bucket.name, gates) && visible(bucket.namespace))
    .sort((a, b) => (`${a.namespace}/${a.name}` < `${b.namespace}/${b.name}` ? -1 : 1));
}
