import type { EndpointAddress, EndpointPort, EndpointSubset, Pod } from '../../../src/types/index.ts';
import { checkKeys, type Fields, parsePort } from './objects.ts';

/** Converts the short form of an endpoint port: "http:8080/TCP", or a whole port. */
export function toEndpointPort(port: unknown): EndpointPort {
  if (typeof port !== 'string') return port as EndpointPort;
  const { name, number, protocol } = parsePort(port);
  return { ...(name && { name }), port: Number(number), ...(protocol && { protocol }) };
}

const defaultPorts = ['http:8080/TCP'];

function findPod(pods: readonly Pod[], ip: unknown, name: unknown): Pod {
  const matches = pods.filter(({ metadata, status }) =>
    name === undefined ? [status?.podIP, ...(status?.podIPs ?? []).map((each) => each.ip)].includes(ip as string) : metadata?.name === name,
  );
  if (matches.length !== 1 || !matches[0]) throw new Error(`${matches.length} pods have the address ${String(ip)}: write "IP of POD"`);
  return matches[0];
}

/** Converts the short form of an address: "10.0.0.1", "10.0.0.1 of a", or a map of ip, of and the fields that differ from the pod's. */
export function toAddress(address: unknown, pods: readonly Pod[]): EndpointAddress {
  const [text, name] = typeof address === 'string' ? address.split(' of ') : [];
  const { ip, of, ...rest } = typeof address === 'string' ? { ip: text, of: name } : (address as Fields);
  checkKeys('address', rest, ['hostname', 'nodeName', 'targetRef']);
  if ('targetRef' in rest) return { ip, nodeName: 'n1', ...rest } as EndpointAddress;
  const { metadata, spec } = findPod(pods, ip, of);
  const { namespace, name: podName, uid } = metadata ?? {};
  return {
    ip: String(ip),
    nodeName: spec?.nodeName ?? '',
    targetRef: { kind: 'Pod', ...(namespace && { namespace }), ...(podName && { name: podName }), ...(uid && { uid }) },
    ...rest,
  };
}

function toSubset(fields: Fields, pods: readonly Pod[]): EndpointSubset {
  checkKeys('subset', fields, ['ready', 'notReady', 'ports']);
  const { ready, notReady, ports = defaultPorts } = fields;
  const list = (addresses: unknown): EndpointAddress[] => (addresses as unknown[]).map((each) => toAddress(each, pods));
  return {
    ...(ready !== undefined && { addresses: list(ready) }),
    ...(notReady !== undefined && { notReadyAddresses: list(notReady) }),
    ...((ports as unknown[]).length > 0 && { ports: (ports as unknown[]).map(toEndpointPort) }),
  };
}

/**
 * The expected subsets; undefined if the outcome does not specify them. `ready`, `notReady` and `ports` describe a single subset;
 * "empty" means no subsets.
 */
export function toSubsets(expected: Fields, pods: readonly Pod[]): EndpointSubset[] | undefined {
  const { ready, notReady, ports, subsets, endpoints } = expected;
  if (endpoints === 'empty') return [];
  if (subsets !== undefined) return (subsets as Fields[]).map((each) => toSubset(each, pods));
  if (ready === undefined && notReady === undefined) return undefined;
  return [
    toSubset(
      { ...(ready !== undefined && { ready }), ...(notReady !== undefined && { notReady }), ...(ports !== undefined && { ports }) },
      pods,
    ),
  ];
}

/**
 * The reason codes that an outcome expects of a pod. A map `why` has codes by pod name. Any other `why` applies to the pods that are left
 * out, or to all pods if none is left out.
 */
export function reasonCodesFor(why: unknown, podName: string, included: boolean, isAnyLeftOut: boolean): string[] | undefined {
  if (why !== null && typeof why === 'object' && !Array.isArray(why)) {
    const podReasons = (why as Fields)[podName];
    return podReasons === undefined ? undefined : [podReasons].flat().map(String);
  }
  if (why === undefined || (included && isAnyLeftOut)) return undefined;
  return [why].flat().map(String);
}
