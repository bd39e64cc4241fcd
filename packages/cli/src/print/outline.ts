import type { EndpointConditionsInput, StringMap } from 'kube-endpoints/internal';
import type {
  EndpointAddressInput,
  EndpointInput,
  EndpointPortInput,
  EndpointSliceInput,
  EndpointSubsetInput,
  EndpointsInput,
} from 'kube-endpoints/types';
import { formatConditions, formatHints, formatSlicePort } from './slices.ts';

/** Whether only the identifying fields of an address are printed, or all. */
export type Detail = 'brief' | 'full';

/** Outlines Endpoints, one address or label per line, so that a line difference is a difference of content. */
export function outlineEndpoints(endpoints: EndpointsInput, detail: Detail, omittedKeys: readonly string[]): string[] {
  return [
    ...formatMap('labels', endpoints.metadata?.labels, omittedKeys),
    ...formatMap('annotations', endpoints.metadata?.annotations, omittedKeys),
    ...(endpoints.subsets ?? []).flatMap((subset, index) => formatSubset(subset, index, detail)),
  ];
}

export function formatMap(title: string, map: StringMap | null | undefined, omittedKeys: readonly string[]): string[] {
  const entries = Object.entries(map ?? {}).filter(([key]) => !omittedKeys.includes(key));
  const lines = entries.sort(([a], [b]) => (a < b ? -1 : 1)).map(([key, value]) => `  ${key}: ${value === '' ? '""' : value}`);
  return lines.length > 0 ? [`${title}:`, ...lines] : [];
}

const formatSubset = ({ addresses, notReadyAddresses, ports }: EndpointSubsetInput, index: number, detail: Detail): string[] => [
  `subset ${index + 1}:`,
  ...(ports ?? []).map((port) => `  port ${formatPort(port)}`),
  ...(addresses ?? []).map((address) => `  ready ${formatAddress(address, detail)}`),
  ...(notReadyAddresses ?? []).map((address) => `  not ready ${formatAddress(address, detail)}`),
];

const formatPort = ({ name, port, protocol, appProtocol }: EndpointPortInput): string =>
  [
    name ? `${name}:` : '',
    port ?? 0,
    protocol ? `/${protocol}` : '',
    typeof appProtocol === 'string' ? ` appProtocol ${appProtocol || '""'}` : '',
  ].join('');

/** Formats an address in one line, with its target in the given detail. */
export function formatAddress({ ip, hostname, nodeName, targetRef }: EndpointAddressInput, detail: Detail): string {
  const { kind, namespace, name, uid, apiVersion, resourceVersion, fieldPath } = targetRef ?? {};
  const target = targetRef ? (kind === 'Pod' && name ? name : `${kind ?? ''} ${name ?? ''}`.trim()) : '';
  const parts = [ip, target, hostname ? `hostname ${hostname}` : '', nodeName ? `on ${nodeName}` : ''];
  if (detail === 'full') {
    const otherFields = { kind, namespace, uid, apiVersion, resourceVersion, fieldPath };
    parts.push(...Object.entries(otherFields).map(([key, value]) => (value ? `${key} ${value}` : '')));
    if (nodeName === '') parts.push('nodeName ""');
  }
  return parts.filter(Boolean).join(' ');
}

/** Outlines a slice, one endpoint or label per line, so that a line difference is a difference of content. */
export function outlineSlice(slice: EndpointSliceInput, detail: Detail, omittedKeys: readonly string[]): string[] {
  return [
    ...formatMap('labels', slice.metadata?.labels, omittedKeys),
    ...formatMap('annotations', slice.metadata?.annotations, omittedKeys),
    ...(slice.addressType ? [`address type ${slice.addressType}`] : []),
    ...(slice.ports ?? []).map((port) => `port ${formatSlicePort(port)}`),
    ...(slice.endpoints ?? []).map((endpoint) => formatEndpoint(endpoint, detail)),
  ];
}

function formatEndpoint({ addresses, conditions, hostname, nodeName, targetRef, zone, hints }: EndpointInput, detail: Detail): string {
  const hintsText = formatHints(hints);
  return [
    'endpoint',
    formatAddress({ ip: (addresses ?? []).join(',') || 'without address', hostname, nodeName, targetRef }, detail),
    zone ? `in ${zone}` : '',
    detail === 'full' ? formatAllConditions(conditions) : formatConditions(conditions),
    hintsText ? `hints ${hintsText}` : '',
  ]
    .filter(Boolean)
    .join(' ');
}

const formatAllConditions = (conditions: EndpointConditionsInput | null | undefined): string =>
  (['ready', 'serving', 'terminating'] as const).map((name) => `${name}=${conditions?.[name] ?? 'unknown'}`).join(' ');
