import type { Command } from 'commander';
import { computeEndpoints } from 'kube-endpoints';
import { nameOf, namespaceOf } from 'kube-endpoints/internal/apimachinery';
import type { EndpointAddress, Endpoints, Service } from 'kube-endpoints/types';
import type { IO, PrintMessage } from '../base/io.ts';
import { addServiceArguments, type InputFlags } from '../flags/cluster.ts';
import {
  addReleaseFlags,
  createMaxEndpointsOption,
  type Invocation,
  type OnParsed,
  type Release,
  type ReleaseFlags,
} from '../flags/common.ts';
import type { Scope } from '../input/scope.ts';
import { reportOnServices } from '../live/read-objects.ts';
import { formatEndpoints } from '../print/endpoints.ts';
import type { Report } from '../print/report.ts';
import type { Style } from '../print/style.ts';
import { type Cell, cell, formatTable } from '../print/table.ts';
import { computeSlices } from '../report/compute-slices.ts';
import { createUnmanagedHints } from '../report/hints.ts';

interface ComputeFlags extends InputFlags, ReleaseFlags {
  readonly command: 'compute';
  readonly slices: boolean;
  readonly maxEndpointsPerSlice: number | undefined;
}

export function configure(command: Command, onParsed: OnParsed): void {
  addReleaseFlags(addServiceArguments(command))
    .option('--slices', 'print EndpointSlices instead of Endpoints (release 1.17 or later)')
    .addOption(createMaxEndpointsOption())
    .action((names, { slices = false, release, featureGates, maxEndpointsPerSlice, ...cluster }) => {
      if (maxEndpointsPerSlice !== undefined && !slices) command.error('error: --max-endpoints-per-slice needs --slices');
      onParsed(names, { command: 'compute', release, featureGates, slices, maxEndpointsPerSlice, ...cluster } as ComputeFlags, run);
    });
}

function run(invocation: Invocation<ComputeFlags>, io: IO, printMessage: PrintMessage): Promise<number> {
  const { slices, maxEndpointsPerSlice, names, flags } = invocation;
  const allNamespaces = flags.allNamespaces === true;
  return reportOnServices(
    invocation,
    {
      kinds: ['services', 'pods', ...(slices ? (['nodes'] as const) : [])],
      release: invocation,
      report: ({ scope, release }) =>
        slices
          ? computeSlices(scope, { ...release, allNamespaces, maxEndpointsPerSlice })
          : compute(scope, { ...release, allNamespaces, single: names.length === 1 }),
    },
    io,
    printMessage,
  );
}

export interface ComputeOptions extends Release {
  /** True if the result may span several namespaces. */
  readonly allNamespaces: boolean;
  /** True if one Service was named on the command line: then `data` is its Endpoints, not a List. */
  readonly single: boolean;
}

interface ServiceEndpoints {
  readonly service: Service;
  /** Undefined if the controller does not manage the Service's Endpoints. */
  readonly endpoints: Endpoints | undefined;
}

/** Reports for `compute` the Endpoints that a release's controller writes for each Service. */
export function compute(scope: Scope, options: ComputeOptions): Report {
  const serviceEndpoints = scope.services.map((service): ServiceEndpoints => {
    const endpoints = computeEndpoints(service, scope.podsOf(namespaceOf(service)), options);
    return { service, endpoints };
  });
  return {
    hasFindings: false,
    text: (style) => (serviceEndpoints.length === 0 ? [] : createTableLines(serviceEndpoints, scope, options, style)),
    data() {
      const items = serviceEndpoints.flatMap(({ endpoints }) => endpoints ?? []);
      return options.single && items.length === 1 ? items[0] : { apiVersion: 'v1', kind: 'List', metadata: { resourceVersion: '' }, items };
    },
    hints: createUnmanagedHints(scope.services, options, 'Endpoints'),
  };
}

function createTableLines(
  serviceEndpoints: readonly ServiceEndpoints[],
  scope: Scope,
  { allNamespaces }: ComputeOptions,
  style: Style,
): string[] {
  const headings = [
    ...(allNamespaces ? ['NAMESPACE'] : []),
    'NAME',
    ...(style.wide ? ['READY', 'NOT-READY', 'LEFT-OUT', 'SUBSETS'] : []),
    'ENDPOINTS',
  ];
  const rows = serviceEndpoints.map(({ service, endpoints }) => [
    ...(allNamespaces ? [cell(namespaceOf(service))] : []),
    cell(nameOf(service)),
    ...(style.wide ? createCountCells(service, endpoints, scope) : []),
    endpoints ? cell(formatEndpoints(endpoints)) : cell('<unmanaged>', 'dim'),
  ]);
  return formatTable(headings, rows, { ...style, width: undefined });
}

function createCountCells(service: Service, endpoints: Endpoints | undefined, scope: Scope): Cell[] {
  if (!endpoints) return ['', '', '', ''].map((text) => cell(text));
  const subsets = endpoints.subsets ?? [];
  const readyNames = podNamesIn(subsets.flatMap(({ addresses = [] }) => addresses));
  const allNames = podNamesIn(subsets.flatMap(({ addresses = [], notReadyAddresses = [] }) => [...addresses, ...notReadyAddresses]));
  const leftOutCount = scope.podsSelectedBy(service).filter((pod) => !allNames.has(nameOf(pod))).length;
  return [cell(readyNames.size), cell(allNames.size - readyNames.size), cell(leftOutCount), cell(subsets.length)];
}

/** The names of the pods that the addresses refer to; a pod in several subsets counts once. */
const podNamesIn = (addresses: readonly EndpointAddress[]): ReadonlySet<string | undefined> =>
  new Set(addresses.map(({ targetRef }) => targetRef?.name));
