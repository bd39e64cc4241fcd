import { namespaceOf } from '../apimachinery/index.ts';
import { countAddresses, serviceNameLabel } from '../spec/index.ts';
import type { EndpointSliceInput, ServicePort } from '../types/index.ts';
import { createCauseReason } from './all-reasons.ts';
import { isTypo } from './nearest.ts';
import { formatCountOf } from './reason.ts';
import { createServiceCause, type DiagnosisInput, type RootCause } from './root-cause.ts';

interface WrittenPort {
  readonly name: string;
  readonly number: number | undefined;
  readonly protocol: string;
}

/**
 * Finds what is wrong with the endpoints of a Service that no controller manages. Without Endpoints and slices in the input, nothing is
 * known. kube-proxy matches ports by name and protocol.
 */
export function findWrittenCauses(input: DiagnosisInput): RootCause[] {
  const { service, objects, cluster, profile } = input;
  if (!objects.endpoints && !objects.slices) return [];
  const subsets = cluster.endpointsOf(service)?.subsets ?? [];
  const usableSlices = cluster.slicesOf(service).filter((slice) => isUsable(slice, input) && slice.endpoints?.some(isReady));
  const readySubsets = subsets.filter(({ addresses }) => countAddresses([{ addresses: addresses ?? [] }]) > 0);
  if (usableSlices.length + readySubsets.length === 0) {
    const reason = createCauseReason('NoEndpointsWritten', 'service.spec.selector', profile, { why: findUnusable(input) });
    return [createServiceCause(reason, service)];
  }
  const written = (usableSlices.length > 0 ? usableSlices : readySubsets).flatMap(({ ports }) => (ports ?? []).map(toWrittenPort));
  const ports = service.spec?.ports ?? [];
  const missing = ports.map((port) => !written.some((each) => isSame(each, port)));
  return ports.flatMap((port, index): RootCause[] => {
    if (!missing[index]) return [];
    const listed = [...new Set(written.map(({ name, number, protocol }) => `${JSON.stringify(name)} (${number}/${protocol})`))].join(', ');
    const values = { port: JSON.stringify(port.name ?? ''), protocol: port.protocol || 'TCP', ports: listed || 'no ports' };
    const reason = createCauseReason('WrittenPortsDiffer', `service.spec.ports[${index}]`, profile, values);
    return [createServiceCause(reason, service, missing.every(Boolean) ? 'error' : 'warning')];
  });
}

const isSame = ({ name, protocol }: WrittenPort, port: ServicePort): boolean =>
  name === (port.name ?? '') && protocol === (port.protocol || 'TCP');

/** An absent condition means ready. */
const isReady = ({ conditions }: NonNullable<EndpointSliceInput['endpoints']>[number]): boolean => conditions?.ready !== false;

/** kube-proxy ignores host names, and addresses of a family that the Service does not have. */
const isUsable = ({ addressType }: EndpointSliceInput, { service }: DiagnosisInput): boolean => {
  const families = service.spec?.ipFamilies ?? [];
  return addressType !== 'FQDN' && (families.length === 0 || families.includes(addressType ?? 'IPv4'));
};

/** Describes endpoints that are probably meant for the Service, but cannot be used; empty if the input has no such endpoints. */
function findUnusable(input: DiagnosisInput): string {
  const { service, cluster } = input;
  const describe = ({ metadata }: EndpointSliceInput, text: string): string => `: EndpointSlice ${metadata?.name} ${text}`;
  for (const slice of cluster.slicesOf(service)) {
    const { addressType = 'IPv4', endpoints } = slice;
    const families = (service.spec?.ipFamilies ?? []).join(' and ');
    const type =
      addressType === 'FQDN' ? 'host names, which kube-proxy ignores' : `${addressType} addresses, but the Service has ${families}`;
    if (!isUsable(slice, input)) return describe(slice, `has ${type}`);
    if (endpoints?.length) return describe(slice, `has ${formatCountOf(endpoints.length, 'endpoint', 'endpoints')}, but none is ready`);
  }
  const notReady = (cluster.endpointsOf(service)?.subsets ?? []).flatMap(({ notReadyAddresses }) => notReadyAddresses ?? []).length;
  if (notReady > 0) return `: the Endpoints have ${formatCountOf(notReady, 'address', 'addresses')}, but none is ready`;
  const stray = findStraySlice(input);
  if (!stray) return '';
  const label = stray.metadata?.labels?.[serviceNameLabel];
  return describe(stray, label === undefined ? `lacks the label ${serviceNameLabel}` : `has the label ${serviceNameLabel}=${label}`);
}

/** A slice of no Service whose name or label is similar to the name of the Service. */
export function findStraySlice({ service, cluster }: Pick<DiagnosisInput, 'service' | 'cluster'>): EndpointSliceInput | undefined {
  const name = service.metadata?.name ?? '';
  return cluster.slicesIn(namespaceOf(service)).find(({ metadata }) => {
    const label = metadata?.labels?.[serviceNameLabel];
    if (label === undefined) return isTypo((metadata?.name ?? '').slice(0, name.length), name);
    return label !== name && isTypo(label, name) && !cluster.service(`${namespaceOf(service)}/${label}`);
  });
}

const toWrittenPort = ({
  name,
  port,
  protocol,
}: Pick<ServicePort, 'name' | 'protocol'> & { readonly port?: number | null | undefined }): WrittenPort => ({
  name: name ?? '',
  number: port ?? undefined,
  protocol: protocol || 'TCP',
});
