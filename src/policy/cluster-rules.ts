import { compareText, nameOf } from '../apimachinery/index.ts';
import type {
  AdminNetworkPolicy,
  AdminPort,
  AdminRule,
  ClusterNetworkPolicy,
  ClusterPeer,
  ClusterProtocol,
  ClusterRule,
  PodPeer,
  PolicyObjects,
  PolicyReference,
} from './objects.ts';

/** A cluster-wide policy of any version. */
export interface ClusterPolicy {
  readonly reference: PolicyReference;
  readonly priority: number;
  readonly subject: PodPeer;
  readonly ingress: readonly (ClusterRule & AdminRule)[];
  readonly egress: readonly (ClusterRule & AdminRule)[];
}

export interface Rule {
  readonly path: string;
  readonly action: 'Accept' | 'Deny' | 'Pass';
  /** As written: "Allow" is "Accept" of v1alpha1. */
  readonly actionText: string;
  readonly peers: readonly { readonly path: string; readonly peer: ClusterPeer }[];
  /** Undefined if the rule matches all ports. */
  readonly ports: readonly PortRange[] | undefined;
}

/** A range of ports of a protocol, or a name of ports of any protocol. */
interface PortRange {
  readonly name?: string;
  readonly protocol: string;
  readonly start: number;
  readonly end: number;
}

export type Tier = 'Admin' | 'Baseline';

/** The policies of a tier, by priority and then by name. A BaselineAdminNetworkPolicy has the priority 0. */
export function policiesOfTier(tier: Tier, objects: PolicyObjects): ClusterPolicy[] {
  const { clusterNetworkPolicies = [], adminNetworkPolicies = [], baselineAdminNetworkPolicies = [] } = objects;
  const policies = [
    ...[...clusterNetworkPolicies].filter(({ spec }) => spec?.tier === tier).map((each) => createPolicy('ClusterNetworkPolicy', each)),
    ...(tier === 'Admin'
      ? Array.from(adminNetworkPolicies, (each) => createPolicy('AdminNetworkPolicy', each))
      : Array.from(baselineAdminNetworkPolicies, (each) => createPolicy('BaselineAdminNetworkPolicy', each))),
  ];
  const keyOf = ({ reference }: ClusterPolicy): string => `${reference.name} ${reference.kind}`;
  return policies.sort((a, b) => a.priority - b.priority || compareText(keyOf(a), keyOf(b)));
}

function createPolicy(kind: PolicyReference['kind'], object: ClusterNetworkPolicy | AdminNetworkPolicy): ClusterPolicy {
  const { priority, subject, ingress, egress } = object.spec ?? {};
  return {
    reference: { kind, name: nameOf(object) },
    priority: kind === 'BaselineAdminNetworkPolicy' ? 0 : (priority ?? 0),
    subject: subject ?? {},
    ingress: ingress ?? [],
    egress: egress ?? [],
  };
}

/** The rules of a direction, in order. */
export const rulesOf = (policy: ClusterPolicy, direction: 'ingress' | 'egress'): Rule[] =>
  policy[direction].map((rule, i) => {
    const path = `spec.${direction}[${i}]`;
    const peersField = direction === 'ingress' ? 'from' : 'to';
    const ports = [...(rule.protocols ?? []).map(readProtocol), ...(rule.ports ?? []).map(readPort)];
    return {
      path,
      action: rule.action === 'Allow' ? 'Accept' : (rule.action as Rule['action']),
      actionText: rule.action ?? '',
      peers: (rule[peersField] ?? []).map((peer, j) => ({ path: `${path}.${peersField}[${j}]`, peer })),
      ports: ports.length === 0 ? undefined : ports,
    };
  });

const maxPort = 65_535;

function readProtocol({ tcp, udp, sctp, destinationNamedPort: name }: ClusterProtocol): PortRange {
  if (name) return createNamedPort(name);
  const { number, range } = (tcp ?? udp ?? sctp)?.destinationPort ?? {};
  return {
    protocol: tcp ? 'TCP' : udp ? 'UDP' : 'SCTP',
    start: number ?? range?.start ?? 0,
    end: number ?? range?.end ?? maxPort,
  };
}

function readPort({ portNumber, portRange, namedPort }: AdminPort): PortRange {
  if (namedPort) return createNamedPort(namedPort);
  const start = portNumber?.port ?? portRange?.start ?? 0;
  return { protocol: (portNumber ?? portRange)?.protocol ?? 'TCP', start, end: portRange?.end ?? start };
}

const createNamedPort = (name: string): PortRange => ({ name, protocol: '', start: 0, end: 0 });
