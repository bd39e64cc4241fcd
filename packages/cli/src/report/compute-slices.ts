import { computeEndpointSlices } from 'kube-endpoints';
import { unmanagedCodeOf } from 'kube-endpoints/internal';
import { nameOf, namespaceOf } from 'kube-endpoints/internal/apimachinery';
import type { EndpointSlice, Service } from 'kube-endpoints/types';
import { type Profile, profileFor } from 'kube-endpoints/versions';
import { UsageError } from '../base/io.ts';
import type { Release } from '../flags/common.ts';
import type { Scope } from '../input/scope.ts';
import type { Report } from '../print/report.ts';
import { countConditions, formatHints, formatSliceEndpoints, formatSliceName, formatSlicePorts } from '../print/slices.ts';
import type { Style } from '../print/style.ts';
import { type Cell, cell, formatTable } from '../print/table.ts';
import { createUnknownZonesHints, createUnmanagedHints } from './hints.ts';

export interface ComputeSlicesOptions extends Release {
  readonly allNamespaces: boolean;
  readonly maxEndpointsPerSlice: number | undefined;
}

interface ServiceSlices {
  readonly service: Service;
  readonly slices: readonly EndpointSlice[];
}

/** Reports for `compute --slices` the EndpointSlices that a release's controller creates for each Service. */
export function computeSlices(scope: Scope, options: ComputeSlicesOptions): Report {
  const { version, featureGates, maxEndpointsPerSlice } = options;
  requireSlices(profileFor(version));
  const limitOptions = maxEndpointsPerSlice === undefined ? {} : { maxEndpointsPerSlice };
  const serviceSlices = scope.services.map((service): ServiceSlices => {
    const slices = computeEndpointSlices(service, scope.podsOf(namespaceOf(service)), {
      version,
      featureGates,
      nodes: scope.nodes,
      ...limitOptions,
    });
    return { service, slices };
  });
  return {
    hasFindings: false,
    text: (style) => (serviceSlices.length === 0 ? [] : createTableLines(serviceSlices, options, style)),
    data: () => ({
      apiVersion: 'v1',
      kind: 'List',
      metadata: { resourceVersion: '' },
      items: serviceSlices.flatMap(({ slices }) => slices),
    }),
    hints: [
      ...createStartHints(profileFor(version, featureGates)),
      ...createUnmanagedHints(scope.services, options, 'EndpointSlices'),
      ...createUnknownZonesHints(scope.nodes, scope.services, options),
    ],
  };
}

const createStartHints = ({ sliceControllerStarted, version }: Profile): string[] =>
  sliceControllerStarted
    ? []
    : [
        `kube-controller-manager ${version} does not run the EndpointSlice controller, because the feature gate EndpointSlice is off: to compute its slices, add --feature-gates EndpointSlice=true.`,
      ];

/** The message for releases without a specification of slices. */
export const unspecifiedSlicesMessage = 'EndpointSlices are specified for 1.17 and later (discovery.k8s.io/v1beta1)';

function requireSlices({ slicesAreBeta, version }: Profile): void {
  if (!slicesAreBeta) throw new UsageError(`--slices with --release ${version}: ${unspecifiedSlicesMessage}; give 1.17 or later`);
}

function createTableLines(
  serviceSlices: readonly ServiceSlices[],
  { allNamespaces, version, featureGates }: ComputeSlicesOptions,
  style: Style,
): string[] {
  const profile = profileFor(version, featureGates);
  const headings = [
    ...(allNamespaces ? ['NAMESPACE'] : []),
    'NAME',
    'ADDRESSTYPE',
    'PORTS',
    ...(style.wide ? ['READY', 'SERVING', 'TERMINATING', 'HINTS'] : []),
    'ENDPOINTS',
  ];
  const rows = serviceSlices.flatMap(({ service, slices }) => {
    const namespace = allNamespaces ? [cell(namespaceOf(service))] : [];
    if (slices.length === 0) {
      const emptyCells = Array.from({ length: style.wide ? 6 : 2 }, () => cell(''));
      return [[...namespace, cell(nameOf(service)), ...emptyCells, cell(unmanagedCodeOf(service, profile) ? '<unmanaged>' : '', 'dim')]];
    }
    return slices.map((slice) => [...namespace, ...rowOf(slice, style)]);
  });
  return formatTable(headings, rows, { ...style, width: undefined });
}

function rowOf(slice: EndpointSlice, { wide }: Style): Cell[] {
  const { ready, serving, terminating } = countConditions(slice.endpoints);
  return [
    cell(formatSliceName(slice)),
    cell(slice.addressType),
    cell(formatSlicePorts(slice.ports)),
    ...(wide ? [cell(ready), cell(serving), cell(terminating), cell(formatHintCounts(slice))] : []),
    cell(formatSliceEndpoints(slice)),
  ];
}

/** Each hint with its number of endpoints: "zone-a 2,zone-b 1". */
function formatHintCounts({ endpoints }: EndpointSlice): string {
  const counts = Map.groupBy(
    endpoints.filter(({ hints }) => hints),
    // Groups by zone hints if the endpoint has any, otherwise by node hints.
    ({ hints }) => formatHints(hints && { forZones: hints.forZones ?? [] }) || formatHints(hints),
  );
  return [...counts]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([hint, endpointsWithHint]) => `${hint} ${endpointsWithHint.length}`)
    .join(',');
}
