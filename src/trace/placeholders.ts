import { canonicalIP, objectKey } from '../apimachinery/index.ts';
import type { TraceObjects } from './objects.ts';

type PlaceholderObjects = Pick<TraceObjects, 'services' | 'pods' | 'standIns' | 'templatePods'>;

/** Replaces placeholder addresses by descriptions in all texts of a JSON value, so that they are not taken for addresses of the cluster. */
export function hidePlaceholders<T>(value: T, { services, pods, standIns, templatePods }: PlaceholderObjects): T {
  const descriptions = new Map<string, string>();
  const describe = (addresses: readonly (string | null | undefined)[], description: string): void => {
    for (const address of addresses) {
      if (!address || canonicalIP(address) === undefined) continue;
      descriptions.set(address, description);
      descriptions.set(address.replace(/[.:]/g, '-'), description);
    }
  };
  for (const service of services) {
    const { clusterIP, clusterIPs } = service.spec ?? {};
    if (standIns?.has(objectKey(service))) describe([clusterIP, ...(clusterIPs ?? [])], `<cluster IP of ${objectKey(service)}>`);
  }
  for (const pod of pods) {
    if (templatePods?.has(objectKey(pod)))
      describe([pod.status?.podIP, ...(pod.status?.podIPs ?? []).map(({ ip }) => ip)], `<IP of ${pod.metadata?.name}>`);
  }
  if (descriptions.size === 0) return value;
  const addresses = [...descriptions.keys()].map((address) => address.replace(/[.]/g, '\\.')).join('|');
  const pattern = new RegExp(`(?<![\\w.:-])\\[?(${addresses})\\]?(?![\\w]|[.:-]\\w*[.:-])`, 'g');
  const replaceIn = (part: unknown): unknown =>
    typeof part === 'string' ? part.replace(pattern, (_, address: string) => descriptions.get(address) as string) : part;
  return JSON.parse(JSON.stringify(value), (_, part: unknown) => replaceIn(part)) as T;
}
