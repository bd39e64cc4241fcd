import { cidrContains, parseCIDRSloppy } from '../apimachinery/index.ts';
import { checkNetwork, checkNumber, checkOneOf, checkPortName, checkSelector, formatProblem, maxPort, type Report } from './checks.ts';
import type {
  AdminNetworkPolicy,
  AdminPort,
  AdminRule,
  ClusterNetworkPolicy,
  ClusterPeer,
  ClusterProtocol,
  ClusterRule,
  IPBlock,
  NetworkPolicy,
  NetworkPolicyPeer,
  NetworkPolicyPort,
  PodPeer,
  PolicyKind,
} from './objects.ts';

export function checkNetworkPolicy({ spec }: NetworkPolicy, report: Report): void {
  checkSelector(spec?.podSelector, 'spec.podSelector', report);
  for (const [direction, peersField] of directions) {
    for (const [i, rule] of (spec?.[direction] ?? []).entries()) {
      const path = `spec.${direction}[${i}]`;
      for (const [j, port] of (rule.ports ?? []).entries()) checkPort(port, `${path}.ports[${j}]`, report);
      for (const [j, peer] of (rule[peersField] ?? []).entries()) checkPeer(peer, `${path}.${peersField}[${j}]`, report);
    }
  }
  for (const [i, type] of (spec?.policyTypes ?? []).entries()) checkOneOf(type, ['Ingress', 'Egress'], `spec.policyTypes[${i}]`, report);
}

/** Rules that a cluster-wide policy of any version has to follow. */
export function checkClusterPolicy(kind: PolicyKind, { spec }: ClusterNetworkPolicy & AdminNetworkPolicy, report: Report): void {
  const isNew = kind === 'ClusterNetworkPolicy';
  if (isNew) checkOneOf(spec?.tier, ['Admin', 'Baseline'], 'spec.tier', report);
  if (kind !== 'BaselineAdminNetworkPolicy') checkNumber(spec?.priority, 0, 1000, 'spec.priority', report);
  checkPods(spec?.subject ?? {}, 'spec.subject', report);
  if (!spec?.subject?.namespaces && !spec?.subject?.pods) report('spec.subject', 'has to have one of the fields namespaces and pods');
  const allow = isNew ? 'Accept' : 'Allow';
  const actions = kind === 'BaselineAdminNetworkPolicy' ? [allow, 'Deny'] : [allow, 'Deny', 'Pass'];
  for (const [direction, peersField] of directions) {
    for (const [i, rule] of (spec?.[direction] ?? []).entries()) {
      const path = `spec.${direction}[${i}]`;
      checkOneOf(rule.action, actions, `${path}.action`, report);
      if ((rule[peersField] ?? []).length === 0) report(`${path}.${peersField}`, 'has to have at least one peer');
      for (const [j, peer] of (rule[peersField] ?? []).entries()) checkClusterPeer(peer, isNew, `${path}.${peersField}[${j}]`, report);
      checkRulePorts(rule, isNew, path, report);
    }
  }
}

const directions = [
  ['ingress', 'from'],
  ['egress', 'to'],
] as const;

function checkRulePorts({ protocols, ports }: ClusterRule & AdminRule, isNew: boolean, path: string, report: Report): void {
  const [own, other] = isNew ? (['protocols', 'ports'] as const) : (['ports', 'protocols'] as const);
  if ({ protocols, ports }[other]) report(`${path}.${other}`, `is not a field of this version; use ${own}`);
  for (const [i, protocol] of (protocols ?? []).entries()) checkProtocol(protocol, `${path}.protocols[${i}]`, report);
  for (const [i, port] of (ports ?? []).entries()) checkAdminPort(port, `${path}.ports[${i}]`, report);
}

function checkPeer(peer: NetworkPolicyPeer, path: string, report: Report): void {
  const { ipBlock, podSelector, namespaceSelector } = peer;
  checkSelector(podSelector, `${path}.podSelector`, report);
  checkSelector(namespaceSelector, `${path}.namespaceSelector`, report);
  if (ipBlock) checkIPBlock(ipBlock, `${path}.ipBlock`, report);
  if (ipBlock && (podSelector || namespaceSelector)) report(path, 'must not have both ipBlock and a selector');
  if (!ipBlock && !podSelector && !namespaceSelector) report(path, 'has to have podSelector, namespaceSelector or ipBlock');
}

function checkIPBlock({ cidr: text, except }: IPBlock, path: string, report: Report): void {
  const cidr = parseCIDRSloppy(text ?? '');
  if (!cidr) report(`${path}.cidr`, formatProblem(text, 'a CIDR'));
  for (const [i, exceptText] of (except ?? []).entries()) {
    const inner = parseCIDRSloppy(exceptText);
    const exceptPath = `${path}.except[${i}]`;
    if (!inner) report(exceptPath, formatProblem(exceptText, 'a CIDR'));
    else if (cidr && (inner.hostBits >= cidr.hostBits || !cidrContains(cidr, { family: inner.family, value: inner.base })))
      report(exceptPath, formatProblem(exceptText, `a strict subset of ${JSON.stringify(text)}`));
  }
}

function checkPort({ protocol, port, endPort }: NetworkPolicyPort, path: string, report: Report): void {
  if (protocol !== undefined && protocol !== null) checkOneOf(protocol, ['TCP', 'UDP', 'SCTP'], `${path}.protocol`, report);
  const hasEnd = endPort !== undefined && endPort !== null;
  if (typeof port === 'number') checkNumber(port, 1, maxPort, `${path}.port`, report);
  else if (hasEnd) report(`${path}.endPort`, 'must not be set unless port is a number');
  if (typeof port === 'string') checkPortName(port, `${path}.port`, report);
  if (typeof port === 'number' && hasEnd) checkNumber(endPort, port, maxPort, `${path}.endPort`, report);
}

function checkClusterPeer(peer: ClusterPeer, isMasked: boolean, path: string, report: Report): void {
  checkPods(peer, path, report);
  checkSelector(peer.nodes, `${path}.nodes`, report);
  for (const [i, network] of (peer.networks ?? []).entries()) checkNetwork(network, isMasked, `${path}.networks[${i}]`, report);
  const fields = ['namespaces', 'pods', 'nodes', 'networks', 'domainNames'] as const;
  if (fields.filter((field) => peer[field]).length > 1) report(path, `must not have several of the fields ${fields.join(', ')}`);
}

function checkPods({ namespaces, pods }: PodPeer, path: string, report: Report): void {
  checkSelector(namespaces, `${path}.namespaces`, report);
  checkSelector(pods?.namespaceSelector, `${path}.pods.namespaceSelector`, report);
  checkSelector(pods?.podSelector, `${path}.pods.podSelector`, report);
}

function checkProtocol({ tcp, udp, sctp, destinationNamedPort }: ClusterProtocol, path: string, report: Report): void {
  if ([tcp, udp, sctp, destinationNamedPort].filter(Boolean).length !== 1)
    report(path, 'has to have one of the fields tcp, udp, sctp and destinationNamedPort');
  for (const [field, match] of Object.entries({ tcp, udp, sctp })) {
    const port = match?.destinationPort;
    if (!port) continue;
    const portPath = `${path}.${field}.destinationPort`;
    if (Boolean(port.number) === Boolean(port.range)) report(portPath, 'has to have one of the fields number and range');
    if (port.number) checkNumber(port.number, 1, maxPort, `${portPath}.number`, report);
    if (port.range) checkRange(port.range, `${portPath}.range`, report);
  }
}

function checkAdminPort({ portNumber, portRange, namedPort }: AdminPort, path: string, report: Report): void {
  if ([portNumber, portRange, namedPort].filter(Boolean).length !== 1)
    report(path, 'has to have one of the fields portNumber, portRange and namedPort');
  for (const [field, port] of Object.entries({ portNumber, portRange })) {
    const { protocol } = port ?? {};
    if (protocol) checkOneOf(protocol, ['TCP', 'UDP', 'SCTP'], `${path}.${field}.protocol`, report);
  }
  if (portNumber) checkNumber(portNumber.port, 1, maxPort, `${path}.portNumber.port`, report);
  if (portRange) checkRange(portRange, `${path}.portRange`, report);
}

function checkRange({ start, end }: NonNullable<AdminPort['portRange']>, path: string, report: Report): void {
  checkNumber(start, 1, maxPort - 1, `${path}.start`, report);
  checkNumber(end, (start ?? 0) + 1, maxPort, `${path}.end`, report);
}
