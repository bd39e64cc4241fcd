import { deepEqual, printList } from '../apimachinery/index.ts';
import type { Optional } from '../types/index.ts';
import { type LoadBalancerGateName, type LoadBalancerSettings, type LoadBalancerVersion, loadBalancerSettings } from './gates.ts';
import type { BalancedPort, BalancedService } from './objects.ts';
import { isLoadBalancer, wantsLoadBalancerForSettings } from './wants.ts';

/** The kinds of changes of a Service that require a sync of its load balancer. */
export type UpdateReasonCode =
  | 'Type'
  | 'LoadBalancerClass'
  | 'LoadBalancerSourceRanges'
  | 'Ports'
  | 'SessionAffinity'
  | 'SessionAffinityConfig'
  | 'LoadBalancerIP'
  | 'ExternalIPs'
  | 'Annotations'
  | 'UID'
  | 'ExternalTrafficPolicy'
  | 'HealthCheckNodePort'
  | 'IPFamilies';

export interface UpdateReason {
  readonly code: UpdateReasonCode;
  /** The field: "service.spec.ports". */
  readonly path: string;
  /** The previous value as in the API; absent if the field was absent. */
  readonly from?: unknown;
  readonly to?: unknown;
}

/**
 * Whether a change of a Service affects its load balancer.
 * @throws RangeError if the version is unknown
 *
 * Mirrors needsUpdate (1.36, staging/src/k8s.io/cloud-provider/controllers/service/controller.go; 1.9,
 * pkg/controller/service/service_controller.go).
 */
export function needsUpdate(old: BalancedService, service: BalancedService, options: LoadBalancerVersion = {}): boolean {
  requireServices(old, service);
  return isUpdateNeeded(old, service, loadBalancerSettings(options));
}

/**
 * All changes that `needsUpdate` considers, in the release's order; empty if no update is needed.
 * @throws RangeError if the version is unknown
 */
export function updateReasons(old: BalancedService, service: BalancedService, options: LoadBalancerVersion = {}): readonly UpdateReason[] {
  requireServices(old, service);
  return findChanges(old, service, loadBalancerSettings(options)).map(({ code, path, read }) => {
    const [from, to] = [read(old) ?? undefined, read(service) ?? undefined];
    return { code, path, ...(from !== undefined && { from }), ...(to !== undefined && { to }) };
  });
}

/** `needsUpdate` for given settings. */
export const isUpdateNeeded = (old: BalancedService, service: BalancedService, settings: LoadBalancerSettings): boolean =>
  isRelevant(old, service, settings) && comparisons.some((row) => isChanged(row, old, service, settings));

/** Creates the Event for the first change that the release detects; undefined if the release emits none for it. */
export function createChangeEvent(
  old: BalancedService,
  service: BalancedService,
  settings: LoadBalancerSettings,
): { readonly reason: string; readonly message: string } | undefined {
  if (settings.changeEventsDropped) return undefined;
  const firstChange = findChanges(old, service, settings)[0];
  return firstChange?.event && { reason: firstChange.event.reason, message: firstChange.event.message(old, service) };
}

/** @throws TypeError naming the argument that is not an object */
function requireServices(old: unknown, service: unknown): void {
  for (const [name, value] of Object.entries({ old, service })) {
    if (typeof value !== 'object' || value === null) throw new TypeError(`${name} must be a Service, got ${String(value)}`);
  }
}

const isRelevant = (old: BalancedService, service: BalancedService, settings: LoadBalancerSettings): boolean =>
  wantsLoadBalancerForSettings(old, settings) || wantsLoadBalancerForSettings(service, settings);

const findChanges = (old: BalancedService, service: BalancedService, settings: LoadBalancerSettings): readonly FieldComparison[] =>
  isRelevant(old, service, settings) ? comparisons.filter((row) => isChanged(row, old, service, settings)) : [];

const isChanged = (
  { gate, isEqual }: FieldComparison,
  old: BalancedService,
  service: BalancedService,
  settings: LoadBalancerSettings,
): boolean => (gate === undefined || settings[gate]) && !isEqual(old, service, settings);

/** The comparison of one field. */
interface FieldComparison {
  readonly code: UpdateReasonCode;
  readonly path: string;
  /** Compared only if this gate is on. */
  readonly gate?: LoadBalancerGateName;
  readonly read: (service: BalancedService) => unknown;
  readonly isEqual: (old: BalancedService, service: BalancedService, settings: LoadBalancerSettings) => boolean;
  readonly event?: { readonly reason: string; readonly message: (old: BalancedService, service: BalancedService) => string };
}

type Spec = NonNullable<BalancedService['spec']>;

/** Creates a row that compares a field of the spec with `isEqual`. */
const createFieldRow = <Name extends keyof Spec>(
  code: UpdateReasonCode,
  name: Name,
  isEqual: (old: Spec[Name], value: Spec[Name]) => boolean,
): Pick<FieldComparison, 'code' | 'path' | 'read' | 'isEqual'> => ({
  code,
  path: `service.spec.${name}`,
  read: ({ spec }) => spec?.[name],
  isEqual: (old, service) => isEqual(old.spec?.[name], service.spec?.[name]),
});

const formatChange = (read: (service: BalancedService) => unknown): NonNullable<FieldComparison['event']>['message'] => {
  return (old, service) => `${read(old)} -> ${read(service)}`;
};

const isSameText = (a: Optional<string>, b: Optional<string>): boolean => (a ?? '') === (b ?? '');
const isSameNumber = (a: Optional<number>, b: Optional<number>): boolean => (a ?? 0) === (b ?? 0);

/** Like reflect.DeepEqual for lists and maps: absent equals null, but empty differs from absent. */
const isSame = (a: unknown, b: unknown): boolean => deepEqual(a ?? undefined, b ?? undefined);

function areSamePorts(old: BalancedService, service: BalancedService, settings: LoadBalancerSettings): boolean {
  const [a, b] = [old.spec?.ports ?? [], service.spec?.ports ?? []];
  const isMixed = (service: BalancedService, ports: readonly BalancedPort[]): boolean =>
    isLoadBalancer(service.spec?.type) && new Set(ports.map(({ protocol }) => protocol || 'TCP')).size > 1;
  if (!settings.mixedProtocolsCompared && (isMixed(old, a) || isMixed(service, b))) return false;
  return a.length === b.length && a.every((port, index) => isSamePort(port, b[index] as BalancedPort, settings));
}

const isSamePort = (a: BalancedPort, b: BalancedPort, { targetPortsCompared, appProtocolsCompared }: LoadBalancerSettings): boolean =>
  isSameText(a.name, b.name) &&
  isSameText(a.protocol, b.protocol) &&
  isSameNumber(a.port, b.port) &&
  isSameNumber(a.nodePort, b.nodePort) &&
  (!targetPortsCompared || (a.targetPort ?? 0) === (b.targetPort ?? 0)) &&
  (!appProtocolsCompared || (a.appProtocol ?? undefined) === (b.appProtocol ?? undefined));

function isSameConfig(a: Spec['sessionAffinityConfig'], b: Spec['sessionAffinityConfig']): boolean {
  if (!a || !b) return !a === !b;
  if (!a.clientIP || !b.clientIP) return !a.clientIP === !b.clientIP;
  return (a.clientIP.timeoutSeconds ?? undefined) === (b.clientIP.timeoutSeconds ?? undefined);
}

const countItems = (list: Optional<readonly unknown[]>): number => list?.length ?? 0;
const formatCounts = (old: Optional<readonly unknown[]>, list: Optional<readonly unknown[]>): string =>
  `Count: ${countItems(old)} -> ${countItems(list)}`;

function formatExternalIPsChange({ spec: old }: BalancedService, { spec }: BalancedService): string {
  if (countItems(old?.externalIPs) !== countItems(spec?.externalIPs)) return formatCounts(old?.externalIPs, spec?.externalIPs);
  return `Added: ${spec?.externalIPs?.find((ip, index) => ip !== old?.externalIPs?.[index]) ?? ''}`;
}

/** In the order of comparison. */
const comparisons: readonly FieldComparison[] = [
  {
    ...createFieldRow('Type', 'type', (a, b) => isLoadBalancer(a) === isLoadBalancer(b)),
    event: { reason: 'Type', message: formatChange(({ spec }) => spec?.type ?? '') },
  },
  {
    ...createFieldRow('LoadBalancerClass', 'loadBalancerClass', () => true),
    gate: 'servicesWithClassSkipped',
    isEqual: (old, service, settings) =>
      isLoadBalancer(old.spec?.type) !== isLoadBalancer(service.spec?.type) ||
      wantsLoadBalancerForSettings(old, settings) === wantsLoadBalancerForSettings(service, settings),
    event: { reason: 'Type', message: formatChange(({ spec }) => spec?.type ?? '') },
  },
  {
    ...createFieldRow('LoadBalancerSourceRanges', 'loadBalancerSourceRanges', isSame),
    event: { reason: 'LoadBalancerSourceRanges', message: formatChange(({ spec }) => printList(spec?.loadBalancerSourceRanges ?? [])) },
  },
  { ...createFieldRow('Ports', 'ports', () => true), isEqual: areSamePorts },
  createFieldRow('SessionAffinity', 'sessionAffinity', isSameText),
  { ...createFieldRow('SessionAffinityConfig', 'sessionAffinityConfig', isSameConfig), gate: 'affinityTimeoutCompared' },
  {
    ...createFieldRow('LoadBalancerIP', 'loadBalancerIP', isSameText),
    // Upstream's spelling.
    event: { reason: 'LoadbalancerIP', message: formatChange(({ spec }) => spec?.loadBalancerIP ?? '') },
  },
  {
    ...createFieldRow('ExternalIPs', 'externalIPs', (a, b) => isSame(a ?? [], b ?? [])),
    event: { reason: 'ExternalIP', message: formatExternalIPsChange },
  },
  {
    code: 'Annotations',
    path: 'service.metadata.annotations',
    read: ({ metadata }) => metadata?.annotations,
    isEqual: (old, service) => isSame(old.metadata?.annotations, service.metadata?.annotations),
  },
  {
    code: 'UID',
    path: 'service.metadata.uid',
    read: ({ metadata }) => metadata?.uid,
    isEqual: (old, service) => isSameText(old.metadata?.uid, service.metadata?.uid),
    event: { reason: 'UID', message: formatChange(({ metadata }) => metadata?.uid ?? '') },
  },
  {
    ...createFieldRow('ExternalTrafficPolicy', 'externalTrafficPolicy', isSameText),
    event: { reason: 'ExternalTrafficPolicy', message: formatChange(({ spec }) => spec?.externalTrafficPolicy ?? '') },
  },
  {
    ...createFieldRow('HealthCheckNodePort', 'healthCheckNodePort', isSameNumber),
    event: { reason: 'HealthCheckNodePort', message: formatChange(({ spec }) => spec?.healthCheckNodePort ?? 0) },
  },
  {
    ...createFieldRow('IPFamilies', 'ipFamilies', (a, b) => countItems(a) === countItems(b)),
    gate: 'ipFamiliesCompared',
    event: { reason: 'IPFamilies', message: ({ spec: old }, { spec }) => formatCounts(old?.ipFamilies, spec?.ipFamilies) },
  },
];
