import type { EndpointConditionsInput, EndpointHintsInput, SlicePortInput } from 'kube-endpoints/internal';
import type { EndpointInput, EndpointSliceInput } from 'kube-endpoints/types';

/** The number of items listed before the rest is only counted, as in `kubectl get endpointslices`. */
const maxListedItems = 3;

/** Formats the ports in one cell: "8080,9090"; "*" for a port without a number, as in kubectl. */
export function formatSlicePorts(ports: EndpointSliceInput['ports']): string {
  if (!ports?.length) return '<unset>';
  return formatFirstItems(ports.map(({ port }) => (port ? String(port) : '*')));
}

/** Formats the addresses of all endpoints, ready or not, in one cell: "10.0.0.1,10.0.0.2 + 3 more...". */
export function formatSliceEndpoints({ endpoints }: Pick<EndpointSliceInput, 'endpoints'>): string {
  return endpoints?.length ? formatFirstItems(endpoints.flatMap(({ addresses }) => addresses ?? [])) : '<unset>';
}

const formatFirstItems = (texts: readonly string[]): string =>
  texts.length > maxListedItems
    ? `${texts.slice(0, maxListedItems).join(',')} + ${texts.length - maxListedItems} more...`
    : texts.join(',');

/** Formats a port with all its fields: "http:8080/TCP". */
export const formatSlicePort = ({ name, port, protocol, appProtocol }: SlicePortInput): string =>
  [
    name ? `${name}:` : '',
    port ?? 'all',
    protocol ? `/${protocol}` : '',
    typeof appProtocol === 'string' ? ` appProtocol ${appProtocol || '""'}` : '',
  ].join('');

/** Formats conditions as words: "ready", "terminating, serving". Includes serving only if it differs from ready. */
export function formatConditions(conditions: EndpointConditionsInput | null | undefined): string {
  const { ready, serving, terminating } = conditions ?? {};
  const isReadyUnknown = typeof ready !== 'boolean';
  const words = [
    isReadyUnknown ? 'ready unknown' : ready ? 'ready' : terminating ? '' : 'not ready',
    terminating ? 'terminating' : '',
    typeof serving === 'boolean' && serving !== (ready ?? !serving) ? (serving ? 'serving' : 'not serving') : '',
  ];
  return words.filter(Boolean).join(', ');
}

/** Formats the zones and nodes of hints: "zone-a,node n1". */
export const formatHints = (hints: EndpointHintsInput | null | undefined): string =>
  [...(hints?.forZones ?? []).map(({ name }) => name || '""'), ...(hints?.forNodes ?? []).map(({ name }) => `node ${name || '""'}`)].join(
    ',',
  );

/** Returns the name of a slice; without a name, the generateName followed by "*". */
export function formatSliceName({ metadata }: EndpointSliceInput): string {
  const { name, generateName } = (metadata ?? {}) as { readonly name?: string | null; readonly generateName?: string };
  return name || `${generateName ?? ''}*`;
}

/** Counts ready, serving and terminating endpoints. Unknown conditions count as consumers interpret them. */
export function countConditions(endpoints: readonly EndpointInput[]): { ready: number; serving: number; terminating: number } {
  const count = (predicate: (conditions: EndpointConditionsInput) => boolean): number =>
    endpoints.filter(({ conditions }) => predicate(conditions ?? {})).length;
  return {
    ready: count(({ ready }) => ready ?? true),
    serving: count(({ ready, serving }) => serving ?? ready ?? true),
    terminating: count(({ terminating }) => terminating ?? false),
  };
}
