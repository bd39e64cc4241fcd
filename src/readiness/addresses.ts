import type { Pod, PodIP, PodStatus } from '../types/index.ts';
import type { ReadinessSettings } from './gates.ts';

export interface Addresses {
  readonly pod: Pod;
  readonly podIPs?: readonly string[] | undefined;
  readonly hostIPs?: readonly string[] | undefined;
}

/**
 * The addresses in a pod's status: the runtime's, and the node's for a pod on its network. Of `generateAPIPodStatus` the end, of
 * `convertStatusToAPIStatus` the beginning.
 */
export function addressesOf(
  { pod, podIPs = [], hostIPs = [] }: Addresses,
  settings: ReadinessSettings,
): Pick<PodStatus, 'hostIP' | 'hostIPs' | 'podIP' | 'podIPs'> {
  const [first, second] = hostIPs;
  const ofPod = pod.spec?.hostNetwork && first ? onHost(podIPs, first, second, settings) : { podIP: podIPs[0], podIPs };
  return {
    ...(first && { hostIP: first }),
    ...(first && settings.hostIPsListed && { hostIPs: asList([first, ...(second ? [second] : [])]) }),
    ...(ofPod.podIP && { podIP: ofPod.podIP }),
    ...(ofPod.podIPs.length > 0 && { podIPs: asList(ofPod.podIPs) }),
  };
}

function onHost(podIPs: readonly string[], first: string, second: string | undefined, settings: ReadinessSettings) {
  const isSet = podIPs.length > 0;
  if (!isSet && !settings.hostNetworkListed) return { podIP: first, podIPs };
  const own = isSet ? podIPs : [first];
  const mayAdd = settings.secondAddressAdded ? own.length === 1 : !isSet && settings.hostNetworkDualStack;
  // from then on a node whose addresses changed places gives no pod two of one family
  const isOther = !settings.sidecars || isIPv6(own[0] ?? '') !== isIPv6(second ?? '');
  return { podIP: own[0], podIPs: second && mayAdd && isOther ? [...own, second] : own };
}

const isIPv6 = (ip: string): boolean => ip.includes(':');
const asList = (ips: readonly string[]): PodIP[] => ips.map((ip) => ({ ip }));
