import { type IPFamily, nameOf, plainCopy } from '../../apimachinery/index.ts';
import type { AllocatableService } from './types.ts';

/** A port that is being worked on. No node port is 0. */
export interface DraftPort {
  name?: string;
  port?: number;
  protocol?: string;
  nodePort: number;
}

/** A spec that is being worked on, as Go sees it: texts that are absent are empty, lists too, and numbers are 0. */
export interface Draft {
  readonly name: string;
  readonly hasSelector: boolean;
  readonly hasExternalIPs: boolean;
  type: string;
  clusterIP: string;
  clusterIPs: string[];
  ipFamilies: string[];
  ipFamilyPolicy: string;
  readonly ports: DraftPort[];
  healthCheckNodePort: number;
  externalTrafficPolicy: string;
  internalTrafficPolicy: string;
  loadBalancerClass: string | undefined;
  allocateLoadBalancerNodePorts: boolean | undefined;
}

export const none = 'None';

/** Reads what allocation is about. A type or a protocol that is absent is the one that it is defaulted to. */
export function draftOf(service: AllocatableService): Draft {
  const { spec } = service;
  return {
    name: nameOf(service),
    hasSelector: Object.keys(spec?.selector ?? {}).length > 0,
    hasExternalIPs: (spec?.externalIPs ?? []).length > 0,
    type: spec?.type || 'ClusterIP',
    clusterIP: spec?.clusterIP ?? '',
    clusterIPs: [...(spec?.clusterIPs ?? [])],
    ipFamilies: [...(spec?.ipFamilies ?? [])],
    ipFamilyPolicy: spec?.ipFamilyPolicy ?? '',
    ports: (spec?.ports ?? []).map(({ name, port, protocol, nodePort }) => ({
      name: name ?? '',
      port: port ?? 0,
      protocol: protocol || 'TCP',
      nodePort: nodePort ?? 0,
    })),
    healthCheckNodePort: spec?.healthCheckNodePort ?? 0,
    externalTrafficPolicy: spec?.externalTrafficPolicy ?? '',
    internalTrafficPolicy: spec?.internalTrafficPolicy ?? '',
    loadBalancerClass: spec?.loadBalancerClass ?? undefined,
    allocateLoadBalancerNodePorts: spec?.allocateLoadBalancerNodePorts ?? undefined,
  };
}

/** The Service with what the draft has become: a copy that shares nothing with it. Fields that are empty are left out. */
export function withDraft<T extends AllocatableService>(service: T, draft: Draft, keepsStatus: boolean): T {
  const copy = plainCopy(service) as { spec?: Record<string, unknown> | null; status?: Record<string, unknown> | null };
  const spec = { ...copy.spec };
  for (const field of fields) put(spec, field, draft[field]);
  if (Array.isArray(spec['ports'])) for (const [i, port] of spec['ports'].entries()) put(port, 'nodePort', draft.ports[i]?.nodePort);
  if (!keepsStatus && copy.status?.['loadBalancer']) copy.status['loadBalancer'] = {};
  return { ...copy, spec } as T;
}

const fields = [
  'clusterIP',
  'clusterIPs',
  'ipFamilies',
  'ipFamilyPolicy',
  'healthCheckNodePort',
  'externalTrafficPolicy',
  'internalTrafficPolicy',
  'loadBalancerClass',
  'allocateLoadBalancerNodePorts',
] as const satisfies readonly (keyof Draft)[];

/** Writes a value over what is there, unless both are empty; the null of a client stays. */
function put(object: Record<string, unknown>, field: string, value: unknown): void {
  if (value === undefined || value === '' || value === 0 || (Array.isArray(value) && value.length === 0)) {
    if (!isEmpty(object[field])) delete object[field];
  } else object[field] = Array.isArray(value) ? [...value] : value;
}

const isEmpty = (value: unknown): boolean =>
  value === undefined || value === null || value === '' || value === 0 || (Array.isArray(value) && value.length === 0);

export const needsClusterIP = ({ type }: Draft): boolean => type !== 'ExternalName';

/** Types that may have node ports. */
export const mayHaveNodePorts = ({ type }: Draft): boolean => type === 'NodePort' || type === 'LoadBalancer';

/** Whether ports without a node port get one. */
export const getsNodePorts = ({ type, allocateLoadBalancerNodePorts }: Draft): boolean =>
  type === 'NodePort' || (type === 'LoadBalancer' && allocateLoadBalancerNodePorts !== false);

/** Mirrors NeedsHealthCheck (pkg/api/service/util.go). */
export const needsHealthCheck = ({ type, externalTrafficPolicy }: Draft): boolean =>
  type === 'LoadBalancer' && externalTrafficPolicy === 'Local';

export const isHeadless = ({ clusterIPs }: Draft): boolean => clusterIPs.length === 1 && clusterIPs[0] === none;

export const sameList = (a: readonly unknown[], b: readonly unknown[]): boolean =>
  a.length === b.length && a.every((each, i) => each === b[i]);

export const nodePortsOf = ({ ports }: Draft): number[] => ports.map(({ nodePort }) => nodePort).filter((port) => port !== 0);

export const otherFamily = (family: string): IPFamily => (family === 'IPv4' ? 'IPv6' : 'IPv4');

/** Whether the text is an IP family. */
export const isFamily = (text: string): text is IPFamily => text === 'IPv4' || text === 'IPv6';
