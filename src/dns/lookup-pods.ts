import { strictIP } from '../apimachinery/index.ts';
import { foundItems, type Item } from './found.ts';
import { hostOf } from './host.ts';
import { reasonOf } from './reasons.ts';
import { isWild, matches, type NameRequest } from './request.ts';
import { empty, type Lookup, missing, type World } from './world.ts';

/** Pods by their addresses. Mirrors findPods (CoreDNS 1.14, plugin/kubernetes/kubernetes.go). */
export function findPods(world: World, request: NameRequest): Lookup {
  const { namespace, service: pod } = request;
  const { pods } = world.settings;
  if (pods === 'disabled') return missing(reasonOf('PodsDisabled', {}));
  if (pod === '') return empty(reasonOf('NameHoldsOthers', { name: `${namespace}.pod` }));
  const address = addressOfLabel(pod);
  return pods === 'insecure' ? anyPod(request, address) : knownPods(world, request, address);
}

function anyPod({ namespace, service: pod }: NameRequest, address: string): Lookup {
  if (strictIP(address) === undefined) return missing(reasonOf('PodNameIsNoAddress', { pod }));
  const item: Item = { host: hostOf(address), port: 0, owner: `${pod}.${namespace}.pod` };
  return { exists: true, found: foundItems([item]), reason: reasonOf('PodAddress', { pod, namespace }) };
}

/** Pods that are there, by their first address. */
function knownPods({ settings: { gates, namespaces }, store }: World, { namespace, service: pod }: NameRequest, address: string): Lookup {
  const items: Item[] = [];
  const everywhere = isWild(namespace, gates);
  for (const known of store.byPodIP.get(address)) {
    if (!matches(namespace, known.namespace, gates)) continue;
    if (everywhere && !(store.hasNamespace(known.namespace) && (!namespaces || namespaces.has(known.namespace)))) continue;
    items.push({ host: hostOf(address), port: 0, owner: `${pod}.${namespace}.pod` });
  }
  if (items.length > 0) return { exists: true, found: foundItems(items), reason: reasonOf('PodVerified', { pod, namespace }) };
  if (isWild(pod, gates) && !everywhere) return empty(reasonOf('NameHoldsOthers', { name: `${pod}.${namespace}.pod` }));
  if (strictIP(address) === undefined) return missing(reasonOf('PodNameIsNoAddress', { pod }));
  return missing(reasonOf('PodNotFound', { namespace, address }));
}

/** Three dashes are the dots of an IPv4 address; else dashes are colons. */
function addressOfLabel(label: string): string {
  const isIPv4 = label.split('-').length === 4 && !label.includes('--');
  return label.replaceAll('-', isIPv4 ? '.' : ':');
}
