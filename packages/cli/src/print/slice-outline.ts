import type { EndpointConditionsInput, EndpointInput, EndpointSliceInput } from 'kube-endpoints/types';
import { type Detail, formatAddress, mapLines } from './outline.ts';
import { formatConditions, formatHints, formatSlicePort } from './slices.ts';

/** A slice as lines for people, an endpoint or label a line, so that a difference of lines is one of contents. */
export function outlineSlice(slice: EndpointSliceInput, detail: Detail, leaveOut: readonly string[]): string[] {
  return [
    ...mapLines('labels', slice.metadata?.labels, leaveOut),
    ...mapLines('annotations', slice.metadata?.annotations, leaveOut),
    ...(slice.addressType ? [`address type ${slice.addressType}`] : []),
    ...(slice.ports ?? []).map((port) => `port ${formatSlicePort(port)}`),
    ...(slice.endpoints ?? []).map((endpoint) => formatEndpoint(endpoint, detail)),
  ];
}

function formatEndpoint({ addresses, conditions, hostname, nodeName, targetRef, zone, hints }: EndpointInput, detail: Detail): string {
  const hinted = formatHints(hints);
  return [
    'endpoint',
    formatAddress({ ip: (addresses ?? []).join(',') || 'without address', hostname, nodeName, targetRef }, detail),
    zone ? `in ${zone}` : '',
    detail === 'full' ? allConditions(conditions) : formatConditions(conditions),
    hinted ? `hints ${hinted}` : '',
  ]
    .filter(Boolean)
    .join(' ');
}

const allConditions = (conditions: EndpointConditionsInput | null | undefined): string =>
  (['ready', 'serving', 'terminating'] as const).map((name) => `${name}=${conditions?.[name] ?? 'unknown'}`).join(' ');
