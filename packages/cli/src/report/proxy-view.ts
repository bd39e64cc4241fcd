import { formatCount, type ProxyReasonCode } from 'kube-endpoints/internal';
import { objectKey } from 'kube-endpoints/internal/apimachinery';
import {
  createNodeView,
  type EndpointVerdict,
  endpointVerdicts,
  type NodeView,
  proxyReason,
  type ServicePortView,
} from 'kube-endpoints/proxy';
import type { IPFamily } from 'kube-endpoints/types';
import type { Scope } from '../input/scope.ts';
import type { Report } from '../print/report.ts';
import type { Style } from '../print/style.ts';
import { type Cell, cell, formatTable } from '../print/table.ts';
import { escapeUnprintable } from '../print/text.ts';
import type { RuleInput } from './proxy-render.ts';

/** Reports for `proxy view` where a node sends the traffic of each Service. Dropped or rejected traffic of a port is a finding. */
export function viewProxy({ objects, node, version, featureGates }: RuleInput, scope: Scope, family: IPFamily): Report {
  const view = createNodeView(objects, node, { family, version, featureGates });
  const selectedKeys = new Set(scope.services.map(objectKey));
  const ports = view.ports.filter(({ namespace, service }) => selectedKeys.has(`${namespace}/${service}`));
  const portReports = ports.map(
    (port): PortReport => ({ port, verdicts: endpointVerdicts(port, node, { version, featureGates }), problem: problemOf(port) }),
  );
  const keysWithRules = new Set(ports.map(({ namespace, service }) => `${namespace}/${service}`));
  const keysWithoutRules = scope.services.filter((service) => !keysWithRules.has(objectKey(service))).map(objectKey);
  return {
    hasFindings: portReports.some(({ problem }) => problem !== undefined),
    text: (style) => [
      ...portReports.flatMap((portReport) => [...describePort(portReport, style), '']),
      ...(keysWithoutRules.length > 0
        ? [`No cluster IP of ${family}, so no rules: ${keysWithoutRules.map(escapeUnprintable).join(', ')}`, '']
        : []),
      formatSummary(portReports, { node: node.name, family, version }),
    ],
    data: () => ({
      release: version,
      node: node.name,
      family,
      ports: portReports.map(({ port, verdicts, problem }) => toData(port, verdicts, problem)),
      withoutRules: keysWithoutRules,
      ...healthCheckData(view, selectedKeys),
    }),
  };
}

interface PortReport {
  readonly port: ServicePortView;
  readonly verdicts: readonly EndpointVerdict[];
  /** The traffic that is dropped or rejected, and why; undefined if all is forwarded. */
  readonly problem: string | undefined;
}

function problemOf({
  hasAny,
  internalPolicyLocal,
  externalPolicyLocal,
  externallyAccessible,
  usesLocalEndpoints,
  local = [],
}: ServicePortView): string | undefined {
  if (!hasAny) return 'all traffic is rejected: no node has a usable endpoint';
  const droppedTraffic = [
    ...(internalPolicyLocal && usesLocalEndpoints ? ['traffic to the cluster IP'] : []),
    ...(externalPolicyLocal && externallyAccessible ? ['traffic from outside'] : []),
  ];
  if (local.length > 0 || droppedTraffic.length === 0) return undefined;
  return `${droppedTraffic.join(' and ')} is dropped: the policy is Local, and this node has no usable endpoint`;
}

function describePort({ port, verdicts, problem }: PortReport, style: Style): string[] {
  const { paint } = style;
  const heading = `${paint('SERVICE', 'bold')} ${escapeUnprintable(port.name)}  ${addressesOf(port).join(', ')}`;
  const rows = verdicts.map((verdict) => rowOf(port, verdict, style.wide));
  const headings = ['ENDPOINT', 'TARGET', 'NODE', ...policiesOf(port).map((policy) => policy.toUpperCase()), 'WHY'];
  return [
    heading,
    `  ${settingsOf(port).join('; ')}`,
    ...(problem === undefined ? [] : [`  ${paint('!', 'red')} ${problem}`]),
    ...(rows.length > 0 ? formatTable(headings, rows, style, '  ') : ['  no endpoints']),
  ];
}

/** Returns the addresses of a Service port, and its node port. */
const addressesOf = ({ protocol, port, clusterIP, nodePort, externalIPs, loadBalancerVIPs }: ServicePortView): readonly string[] => [
  ...[clusterIP, ...externalIPs, ...loadBalancerVIPs].map((ip) => `${ip.includes(':') ? `[${ip}]` : ip}:${port}/${protocol}`),
  ...(nodePort === 0 ? [] : [`node port ${nodePort}/${protocol}`]),
];

function settingsOf(port: ServicePortView): readonly string[] {
  const policy = (isLocal: boolean): string => (isLocal ? 'Local' : 'Cluster');
  return [
    `internal traffic ${policy(port.internalPolicyLocal)}`,
    ...(port.externallyAccessible ? [`external traffic ${policy(port.externalPolicyLocal)}`] : []),
    ...(port.hints === undefined ? [] : [`hints: ${port.hints}`]),
    ...(port.sessionAffinity === 'ClientIP' ? [`session affinity for ${port.stickyMaxAgeSeconds} s`] : []),
    ...(port.loadBalancerSourceRanges.length > 0 ? [`load balancer only for ${port.loadBalancerSourceRanges.join(', ')}`] : []),
    ...(port.healthCheckNodePort === 0 ? [] : [`health check node port ${port.healthCheckNodePort}`]),
  ];
}

type Policy = 'cluster' | 'local';

/** The traffic policies in use for the port. */
const policiesOf = ({ usesClusterEndpoints, usesLocalEndpoints }: ServicePortView): readonly Policy[] => [
  ...(usesClusterEndpoints ? (['cluster'] as const) : []),
  ...(usesLocalEndpoints ? (['local'] as const) : []),
];

function rowOf(port: ServicePortView, verdict: EndpointVerdict, wide: boolean): readonly Cell[] {
  const { endpoint } = verdict;
  const policies = policiesOf(port);
  const isUsed = (policy: Policy): boolean => proxyReason(verdict[policy]).used;
  return [
    cell(endpoint.text),
    cell(endpoint.targetRef?.name ?? ''),
    cell(endpoint.nodeName ?? ''),
    ...policies.map((policy) => (isUsed(policy) ? cell('yes', 'green') : cell('no', 'yellow'))),
    {
      lines: reasonsFor(
        policies.map((policy) => [policy, verdict[policy]]),
        wide,
      ),
    },
  ];
}

/** Returns one reason if it is the same for all policies, otherwise a reason for each policy. */
function reasonsFor(verdicts: readonly (readonly [policy: Policy, code: ProxyReasonCode])[], wide: boolean): readonly string[] {
  const codes = new Set(verdicts.map(([, code]) => code));
  if (codes.size === 1) return [...codes].map((code) => reasonText(code, wide));
  return verdicts.map(([policy, code]) => `${policy}: ${reasonText(code, wide)}`);
}

/** Formats a reason. In wide output, includes how to change the result. */
function reasonText(code: ProxyReasonCode, wide: boolean): string {
  const { sentence, remedy } = proxyReason(code);
  return `${code}: ${sentence}${wide && remedy !== undefined ? ` (to change that: ${remedy})` : ''}`;
}

const toData = (port: ServicePortView, verdicts: readonly EndpointVerdict[], problem: string | undefined): object => {
  const { endpoints: _, cluster: __, local: ___, reachable: ____, ...fields } = port;
  return {
    ...fields,
    ...(problem !== undefined && { problem }),
    endpoints: verdicts.map(({ endpoint, ...verdict }) => ({ ...endpoint, ...verdict })),
  };
};

function healthCheckData({ healthCheckNodePorts, localReady }: NodeView, selectedKeys: ReadonlySet<string>): object {
  const selectCounts = (counts: Readonly<Record<string, number>>): object =>
    Object.fromEntries(Object.entries(counts).filter(([key]) => selectedKeys.has(key)));
  return { healthCheckNodePorts: selectCounts(healthCheckNodePorts), localReady: selectCounts(localReady) };
}

function formatSummary(
  portReports: readonly PortReport[],
  header: { readonly node: string; readonly family: IPFamily; readonly version: string },
): string {
  const { node, family, version } = header;
  const problemCount = portReports.filter(({ problem }) => problem !== undefined).length;
  const result = problemCount === 0 ? 'all forward traffic' : `${problemCount} with dropped or rejected traffic`;
  return `${formatCount(portReports.length, 'port')} on node ${escapeUnprintable(node)}, ${family}, kube-proxy ${version}: ${portReports.length === 0 ? 'nothing to serve' : result}.`;
}
