import { counted, objectKey, type ProxyReasonCode } from 'kube-endpoints/internal';
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
import { printable } from '../print/text.ts';
import { proxyRelease } from './proxy-objects.ts';
import type { RuleInput } from './proxy-render.ts';

/** `proxy view`: where a node sends the traffic of each Service. `found` is true if some traffic of a port is dropped or rejected. */
export function proxyView({ objects, node }: RuleInput, scope: Scope, family: IPFamily): Report {
  const view = createNodeView(objects, node, { family });
  const wanted = new Set(scope.services.map(objectKey));
  const ports = view.ports.filter(({ namespace, service }) => wanted.has(`${namespace}/${service}`));
  const seen = ports.map((port): SeenPort => ({ port, verdicts: endpointVerdicts(port, node), problem: problemOf(port) }));
  const served = new Set(ports.map(({ namespace, service }) => `${namespace}/${service}`));
  const withoutRules = scope.services.filter((service) => !served.has(objectKey(service))).map(objectKey);
  return {
    found: seen.some(({ problem }) => problem !== undefined),
    text: (style) => [
      ...seen.flatMap((each) => [...describe(each, style), '']),
      ...(withoutRules.length > 0 ? [`No cluster IP of ${family}, so no rules: ${withoutRules.map(printable).join(', ')}`, ''] : []),
      summary(seen, node.name, family),
    ],
    data: () => ({
      release: proxyRelease,
      node: node.name,
      family,
      ports: seen.map(({ port, verdicts, problem }) => dataOf(port, verdicts, problem)),
      withoutRules,
      ...healthOf(view, wanted),
    }),
  };
}

interface SeenPort {
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
  local = [],
}: ServicePortView): string | undefined {
  if (!hasAny) return 'all traffic is rejected: no node has a usable endpoint';
  const dropped = [
    ...(internalPolicyLocal ? ['traffic to the cluster IP'] : []),
    ...(externalPolicyLocal && externallyAccessible ? ['traffic from outside'] : []),
  ];
  if (local.length > 0 || dropped.length === 0) return undefined;
  return `${dropped.join(' and ')} is dropped: the policy is Local, and this node has no usable endpoint`;
}

function describe({ port, verdicts, problem }: SeenPort, style: Style): string[] {
  const { paint } = style;
  const heading = `${paint('SERVICE', 'bold')} ${printable(port.name)}  ${addressesOf(port).join(', ')}`;
  const rows = verdicts.map((verdict) => rowOf(port, verdict, style.wide));
  const headings = ['ENDPOINT', 'TARGET', 'NODE', ...policiesOf(port).map((policy) => policy.toUpperCase()), 'WHY'];
  return [
    heading,
    `  ${settingsOf(port).join('; ')}`,
    ...(problem === undefined ? [] : [`  ${paint('!', 'red')} ${problem}`]),
    ...(rows.length > 0 ? formatTable(headings, rows, style, '  ') : ['  no endpoints']),
  ];
}

/** The addresses and node port of a port. */
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
  const used = (policy: Policy): boolean => proxyReason(verdict[policy]).used;
  return [
    cell(endpoint.text),
    cell(endpoint.targetRef?.name ?? ''),
    cell(endpoint.nodeName ?? ''),
    ...policies.map((policy) => (used(policy) ? cell('yes', 'green') : cell('no', 'yellow'))),
    {
      lines: reasonsFor(
        policies.map((policy) => [policy, verdict[policy]]),
        wide,
      ),
    },
  ];
}

/** One reason if all policies have the same, otherwise one for each. */
function reasonsFor(verdicts: readonly (readonly [policy: Policy, code: ProxyReasonCode])[], wide: boolean): readonly string[] {
  const codes = new Set(verdicts.map(([, code]) => code));
  if (codes.size === 1) return [...codes].map((code) => reasonText(code, wide));
  return verdicts.map(([policy, code]) => `${policy}: ${reasonText(code, wide)}`);
}

/** In wide output, includes what would change it. */
function reasonText(code: ProxyReasonCode, wide: boolean): string {
  const { sentence, remedy } = proxyReason(code);
  return `${code}: ${sentence}${wide && remedy !== undefined ? ` (to change that: ${remedy})` : ''}`;
}

const dataOf = (port: ServicePortView, verdicts: readonly EndpointVerdict[], problem: string | undefined): object => {
  const { endpoints: _, cluster: __, local: ___, reachable: ____, ...facts } = port;
  return {
    ...facts,
    ...(problem !== undefined && { problem }),
    endpoints: verdicts.map(({ endpoint, ...verdict }) => ({ ...endpoint, ...verdict })),
  };
};

function healthOf({ healthCheckNodePorts, localReady }: NodeView, wanted: ReadonlySet<string>): object {
  const only = (counts: Readonly<Record<string, number>>): object =>
    Object.fromEntries(Object.entries(counts).filter(([key]) => wanted.has(key)));
  return { healthCheckNodePorts: only(healthCheckNodePorts), localReady: only(localReady) };
}

function summary(seen: readonly SeenPort[], node: string, family: IPFamily): string {
  const withProblem = seen.filter(({ problem }) => problem !== undefined).length;
  const rest = withProblem === 0 ? 'all forward traffic' : `${withProblem} with dropped or rejected traffic`;
  return `${counted(seen.length, 'port')} on node ${printable(node)}, ${family}, kube-proxy ${proxyRelease}: ${seen.length === 0 ? 'nothing to serve' : rest}.`;
}
