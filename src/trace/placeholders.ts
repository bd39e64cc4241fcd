import { canonicalIP, objectKey } from '../apimachinery/index.ts';
import type { TraceObjects } from './objects.ts';
import type { Trace } from './trace.ts';

/** Replaces placeholder addresses by descriptions in all texts of a trace, so that they are not taken for addresses of the cluster. */
export function hidePlaceholders(trace: Trace, { services, pods, standIns, templatePods }: TraceObjects): Trace {
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
  if (descriptions.size === 0) return trace;
  const addresses = [...descriptions.keys()].map((address) => address.replace(/[.]/g, '\\.')).join('|');
  const pattern = new RegExp(`(?<![\\w.:-])\\[?(${addresses})\\]?(?![\\w]|[.:-]\\w*[.:-])`, 'g');
  const replaceIn = (value: unknown): unknown =>
    typeof value === 'string' ? value.replace(pattern, (_, address: string) => descriptions.get(address) as string) : value;
  return JSON.parse(JSON.stringify(trace), (_, value: unknown) => replaceIn(value)) as Trace;
}
