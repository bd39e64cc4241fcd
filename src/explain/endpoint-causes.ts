import { isIPv6, objectKey } from '../apimachinery/index.ts';
import type { Pod } from '../types/index.ts';
import { createCauseReason } from './all-reasons.ts';
import { listNames } from './pod-names.ts';
import { formatCountOf } from './reason.ts';
import { createObjectCause, createServiceCause, type DiagnosisInput, type RootCause } from './root-cause.ts';

/** Finds what is wrong with ready pods as endpoints: the slices that the input has, the second IP family, and host names. */
export function findEndpointCauses(input: DiagnosisInput): RootCause[] {
  if (!input.explanation.managed) return [];
  return [...findSliceCauses(input), ...findFamilyCauses(input), ...findHostnameCauses(input)];
}

/** Compares the slices of the input with the ready pods. Unless all slices are known, a Service may have some that the input lacks. */
function findSliceCauses({ service, objects, cluster, readyPods, profile }: DiagnosisInput): RootCause[] {
  const slices = cluster.slicesOf(service);
  const [first] = slices;
  if (!first && !objects.areSlicesComplete) return [];
  const endpoints = slices.flatMap((slice) => slice.endpoints ?? []).filter(({ conditions }) => conditions?.ready !== false);
  const listed = new Set(endpoints.flatMap(({ addresses }) => addresses ?? []));
  const isOnNode = ({ spec }: Pod): boolean => !objects.nodes || !spec?.nodeName || cluster.node(spec.nodeName) !== undefined;
  const missing = readyPods.filter((pod) => isOnNode(pod) && !isTerminating(pod) && !ipsOf(pod).some((ip) => listed.has(ip)));
  const known = new Set(readyPods.flatMap(ipsOf));
  const stale = endpoints.filter(({ addresses, targetRef }) => targetRef?.kind === 'Pod' && !(addresses ?? []).some((ip) => known.has(ip)));
  const missingNames = missing.map(({ metadata }) => metadata?.name ?? '');
  const staleNames = stale.map(({ targetRef }) => targetRef?.name ?? '');
  const texts = [
    ...(missing.length > 0 ? [`lack ${formatCountOf(missing.length, 'ready pod', 'ready pods')} (${listNames(missingNames)})`] : []),
    ...(stale.length > 0
      ? [
          `list ${formatCountOf(stale.length, 'pod', 'pods')} as ready that ${stale.length === 1 ? 'is' : 'are'} not (${listNames(staleNames)})`,
        ]
      : []),
  ];
  if (texts.length === 0) return [];
  const reason = createCauseReason('SlicesOutOfDate', 'endpointslice.endpoints', profile, { what: texts.join(', and ') });
  const isError = readyPods.length > 0 && missing.length === readyPods.length;
  const severity = isError ? 'error' : 'warning';
  return [first ? createObjectCause(reason, 'EndpointSlice', first, severity) : createServiceCause(reason, service, severity)];
}

const isTerminating = ({ metadata }: Pod): boolean => Boolean(metadata?.deletionTimestamp);

const ipsOf = ({ status }: Pod): string[] =>
  [status?.podIP ?? '', ...(status?.podIPs ?? []).map(({ ip }) => ip ?? '')].filter((ip) => ip !== '');

/** The Endpoints have only the first family; slices and clients use both. */
function findFamilyCauses({ service, readyPods, profile }: DiagnosisInput): RootCause[] {
  const [first = '', second] = service.spec?.ipFamilies ?? [];
  if (second === undefined) return [];
  const lacking = readyPods.filter((pod) => !ipsOf(pod).some((ip) => isIPv6(ip) === (second === 'IPv6')));
  if (lacking.length === 0) return [];
  const reason = createCauseReason('FamilyMissingInPods', 'service.spec.ipFamilies', profile, {
    families: `${first} and ${second}`,
    family: second,
    all: readyPods.length,
    pods: listNames(lacking.map(({ metadata }) => metadata?.name ?? '')),
  });
  return [createServiceCause(reason, service)];
}

/** A pod may have the subdomain of another headless Service, but a subdomain without a Service is a mistake. */
function findHostnameCauses({ explanation, objects, cluster }: DiagnosisInput): RootCause[] {
  for (const { namespace, name, reasons } of explanation.pods) {
    const reason = reasons.find(({ code }) => code === 'HostnameLeftOut');
    const pod = reason && cluster.pod(`${namespace}/${name}`);
    const subdomain = pod?.spec?.subdomain;
    if (!reason || !pod || !subdomain || !objects.services || cluster.service(`${namespace}/${subdomain}`)) continue;
    const cause = createObjectCause(reason, 'Pod', pod, 'warning');
    return [{ ...cause, message: `Pod ${name}: the${reason.message.slice('The'.length)}`, objects: [`pod/${objectKey(pod)}`] }];
  }
  return [];
}
