import { canonicalIP, objectKey } from '../apimachinery/index.ts';
import { countAddresses, serviceNameLabel } from '../spec/index.ts';
import type { EndpointSliceInput, ServicePort } from '../types/index.ts';
import { createReason, quoteOrNone } from './reason.ts';
import { createServiceCause, type DiagnosisInput, type RootCause } from './root-cause.ts';

/** Finds causes in a Service that no controller manages: what its users wrote, or should have written. */
export function findServiceCauses(input: DiagnosisInput): RootCause[] {
  const { spec } = input.service;
  if (spec?.type === 'ExternalName') return findExternalNameCauses(input);
  return input.explanation.managed ? [] : findWrittenCauses(input);
}

function findExternalNameCauses({ service, objects, profile }: DiagnosisInput): RootCause[] {
  const target = ((service.spec as { readonly externalName?: string | null })?.externalName ?? '').replace(/\.$/, '');
  const path = 'service.spec.externalName';
  if (canonicalIP(target) !== undefined) return [createServiceCause(createReason('ExternalNameIsIP', path, profile, { target }), service)];
  const [name, namespace, svc] = target.split('.');
  if (svc !== 'svc' || !objects.services || objects.services.some((each) => objectKey(each) === `${namespace}/${name}`)) return [];
  const hasNamespace = objects.services.some(({ metadata }) => metadata?.namespace === namespace);
  const why = hasNamespace
    ? `namespace ${quoteOrNone(namespace)} has no Service ${quoteOrNone(name)}`
    : `no Service is in namespace ${quoteOrNone(namespace)}`;
  return [createServiceCause(createReason('ExternalNameNotFound', path, profile, { target, why }), service)];
}

interface WrittenPort {
  readonly name: string;
  readonly number: number | undefined;
  readonly protocol: string;
}

/** Without Endpoints and slices in the input, nothing is known. kube-proxy matches ports by name and protocol. */
function findWrittenCauses({ service, objects, profile }: DiagnosisInput): RootCause[] {
  if (!objects.endpoints && !objects.slices) return [];
  const endpoints = (objects.endpoints ?? []).find((each) => objectKey(each) === objectKey(service));
  const slices = (objects.slices ?? []).filter(
    (slice) =>
      slice.metadata?.namespace === service.metadata?.namespace && slice.metadata?.labels?.[serviceNameLabel] === service.metadata?.name,
  );
  const count = countAddresses(endpoints?.subsets ?? []) + slices.flatMap((slice) => slice.endpoints ?? []).length;
  if (count === 0) return [createServiceCause(createReason('NoEndpointsWritten', 'service.spec.selector', profile), service)];
  const written =
    slices.length > 0 ? slices.flatMap(portsOfSlice) : (endpoints?.subsets ?? []).flatMap(({ ports }) => (ports ?? []).map(toWrittenPort));
  return (service.spec?.ports ?? []).flatMap((port, index): RootCause[] => {
    const isSame = ({ name, protocol }: WrittenPort): boolean => name === (port.name ?? '') && protocol === (port.protocol || 'TCP');
    if (written.some(isSame)) return [];
    const ports = [...new Set(written.map(({ name, number, protocol }) => `${JSON.stringify(name)} (${number}/${protocol})`))].join(', ');
    const values = { port: JSON.stringify(port.name ?? ''), protocol: port.protocol || 'TCP', ports: ports || 'no ports' };
    return [createServiceCause(createReason('WrittenPortsDiffer', `service.spec.ports[${index}].name`, profile, values), service)];
  });
}

const portsOfSlice = ({ ports }: EndpointSliceInput): WrittenPort[] => (ports ?? []).map(toWrittenPort);

const toWrittenPort = ({
  name,
  port,
  protocol,
}: Pick<ServicePort, 'name' | 'protocol'> & { readonly port?: number | null | undefined }): WrittenPort => ({
  name: name ?? '',
  number: port ?? undefined,
  protocol: protocol || 'TCP',
});
