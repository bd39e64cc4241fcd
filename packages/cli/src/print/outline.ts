import type { EndpointAddressInput, EndpointPortInput, EndpointSubsetInput, EndpointsInput, StringMap } from 'kube-endpoints/types';

/** How much of an address is told: enough to know it by, or all. */
export type Detail = 'brief' | 'full';

/** Endpoints as lines for people, an address or label a line, so that a difference of lines is one of contents. */
export function outline(endpoints: EndpointsInput, detail: Detail, leaveOut: readonly string[]): string[] {
  return [
    ...mapLines('labels', endpoints.metadata?.labels, leaveOut),
    ...mapLines('annotations', endpoints.metadata?.annotations, leaveOut),
    ...(endpoints.subsets ?? []).flatMap((subset, at) => subsetLines(subset, at, detail)),
  ];
}

export function mapLines(title: string, map: StringMap | null | undefined, leaveOut: readonly string[]): string[] {
  const entries = Object.entries(map ?? {}).filter(([key]) => !leaveOut.includes(key));
  const lines = entries.sort(([a], [b]) => (a < b ? -1 : 1)).map(([key, value]) => `  ${key}: ${value === '' ? '""' : value}`);
  return lines.length > 0 ? [`${title}:`, ...lines] : [];
}

const subsetLines = ({ addresses, notReadyAddresses, ports }: EndpointSubsetInput, at: number, detail: Detail): string[] => [
  `subset ${at + 1}:`,
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

/** An address in one line, with as much of its target as is asked for. */
export function formatAddress({ ip, hostname, nodeName, targetRef }: EndpointAddressInput, detail: Detail): string {
  const { kind, namespace, name, uid, apiVersion, resourceVersion, fieldPath } = targetRef ?? {};
  const target = targetRef ? (kind === 'Pod' && name ? name : `${kind ?? ''} ${name ?? ''}`.trim()) : '';
  const parts = [ip, target, hostname ? `hostname ${hostname}` : '', nodeName ? `on ${nodeName}` : ''];
  if (detail === 'full') {
    const rest = { kind, namespace, uid, apiVersion, resourceVersion, fieldPath };
    parts.push(...Object.entries(rest).map(([key, value]) => (value ? `${key} ${value}` : '')));
    if (nodeName === '') parts.push('nodeName ""');
  }
  return parts.filter(Boolean).join(' ');
}
