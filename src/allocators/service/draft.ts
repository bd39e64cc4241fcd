import { Immer, isDraftable } from 'immer';
import { type IPFamily, nameOf, plainCopy } from '../../apimachinery/index.ts';
import type { AllocatableService } from './types.ts';

/** A mutable port. nodePort 0 means no node port. */
export interface DraftPort {
  name?: string;
  port?: number;
  protocol?: string;
  nodePort: number;
}

/** A mutable spec with Go's zero values: absent strings and lists are empty, absent numbers are 0. */
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

export const clusterIPNone = 'None';

/** Reads the fields that allocation depends on. An absent type or protocol gets its default. */
export function createDraft(service: AllocatableService): Draft {
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

/**
 * Returns the Service with the values of the draft. Empty fields are omitted. Shares unchanged parts with the given Service, and returns
 * that Service if nothing changes; only class instances are always copied. Clears status.loadBalancer unless `keepsStatus` is true.
 */
export function applyDraft<T extends AllocatableService>(service: T, draft: Draft, keepsStatus: boolean): T {
  const source = canBeDrafted(service) ? service : plainCopy(service);
  const { spec, status } = source as Writable;
  const changedFields = writableFields.filter((field) => mustWrite(spec?.[field], draft[field]));
  const changedPorts = (spec?.ports ?? []).flatMap(({ nodePort }, i) => (mustWrite(nodePort, draft.ports[i]?.nodePort) ? [i] : []));
  const clearsStatus = !keepsStatus && Object.keys(status?.loadBalancer ?? {}).length > 0;
  if (spec && changedFields.length === 0 && changedPorts.length === 0 && !clearsStatus) return source;
  return produce(source, (copy: Writable) => {
    copy.spec ??= {};
    for (const field of changedFields) setField(copy.spec, field, draft[field]);
    for (const i of changedPorts) setField(copy.spec.ports?.[i] as Fields, 'nodePort', draft.ports[i]?.nodePort);
    if (clearsStatus && copy.status) copy.status.loadBalancer = {};
  }) as T;
}

/** The parts of a Service that are written. */
interface Writable {
  spec?: (Fields & { ports?: Fields[] | null }) | null;
  status?: { loadBalancer?: object | null } | null;
}

type Fields = Record<string, unknown>;

/** A separate Immer instance that does not freeze the caller's objects. The settings of the default instance are global. */
const { produce } = /* @__PURE__ */ new Immer({ autoFreeze: false });

/** Whether Immer can draft every part that is written. Immer would modify class instances, such as those of a client library, in place. */
const canBeDrafted = (service: AllocatableService): boolean =>
  [service, service.spec, service.status, ...(service.spec?.ports ?? [])].every((part) => !part || isDraftable(part));

const writableFields = [
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

/** Whether a field must be written. Two empty values do not differ, so a null that the client sent is preserved. */
function mustWrite(before: unknown, value: unknown): boolean {
  if (isEmpty(value)) return !isEmpty(before);
  return Array.isArray(value) ? !(Array.isArray(before) && isSameList(before, value)) : before !== value;
}

function setField(object: Fields, field: string, value: unknown): void {
  if (isEmpty(value)) delete object[field];
  else object[field] = Array.isArray(value) ? [...value] : value;
}

const isEmpty = (value: unknown): boolean =>
  value === undefined || value === null || value === '' || value === 0 || (Array.isArray(value) && value.length === 0);

export const needsClusterIP = ({ type }: Draft): boolean => type !== 'ExternalName';

/** Whether the type may have node ports. */
export const mayHaveNodePorts = ({ type }: Draft): boolean => type === 'NodePort' || type === 'LoadBalancer';

/** Whether ports without a node port get one. */
export const getsNodePorts = ({ type, allocateLoadBalancerNodePorts }: Draft): boolean =>
  type === 'NodePort' || (type === 'LoadBalancer' && allocateLoadBalancerNodePorts !== false);

/** Mirrors NeedsHealthCheck (pkg/api/service/util.go). */
export const needsHealthCheck = ({ type, externalTrafficPolicy }: Draft): boolean =>
  type === 'LoadBalancer' && externalTrafficPolicy === 'Local';

export const isHeadless = ({ clusterIPs }: Draft): boolean => clusterIPs.length === 1 && clusterIPs[0] === clusterIPNone;

export const isSameList = (a: readonly unknown[], b: readonly unknown[]): boolean =>
  a.length === b.length && a.every((each, i) => each === b[i]);

export const nodePortsOf = ({ ports }: Draft): number[] => ports.map(({ nodePort }) => nodePort).filter((port) => port !== 0);

export const otherFamily = (family: string): IPFamily => (family === 'IPv4' ? 'IPv6' : 'IPv4');

/** Whether the text is an IP family. */
export const isFamily = (text: string): text is IPFamily => text === 'IPv4' || text === 'IPv6';
