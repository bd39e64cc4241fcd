import { child, type Fields, has, list } from '../field/read.ts';
import { nanosOf } from '../field/resource-list.ts';

/** Mirrors ComputePodQOS (pkg/apis/core/helper/qos, 1.36). */
export function qosOf(spec: Fields): 'BestEffort' | 'Burstable' | 'Guaranteed' {
  const wholes = has(spec, 'resources') ? [child(spec, 'resources')] : undefined;
  const each = wholes ?? [...list(spec, 'containers'), ...list(spec, 'initContainers')].map((one) => child(one, 'resources'));
  const requests = new Map<string, bigint>();
  const limits = new Map<string, bigint>();
  let limited = true;
  for (const resources of each) {
    add(requests, child(resources, 'requests'));
    const own = add(limits, child(resources, 'limits'));
    const saysNothing = wholes !== undefined && Object.keys(child(resources, 'limits')).length === 0;
    if (own < computed.length && !saysNothing) limited = false;
  }
  if (requests.size === 0 && limits.size === 0) return 'BestEffort';
  const same = requests.size === limits.size && [...requests].every(([name, nanos]) => limits.get(name) === nanos);
  return limited && same ? 'Guaranteed' : 'Burstable';
}

const computed: readonly string[] = ['cpu', 'memory'];

/** @returns how many of the resources that count there are */
function add(to: Map<string, bigint>, resources: Fields): number {
  let found = 0;
  for (const name of computed) {
    const nanos = Object.hasOwn(resources, name) ? nanosOf(String(resources[name])) : 0n;
    if (nanos <= 0n) continue;
    to.set(name, (to.get(name) ?? 0n) + nanos);
    found += 1;
  }
  return found;
}
