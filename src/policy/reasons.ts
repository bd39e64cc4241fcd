import type { PolicyReference } from './objects.ts';

/** Why a direction is allowed or denied, or what the specifications leave open. */
export type PolicyReasonCode = keyof typeof policyReasons;

export interface PolicyReason {
  readonly code: PolicyReasonCode;
  readonly message: string;
  /** The policy that the reason is about, if it is about one. */
  readonly policy?: PolicyReference;
  /** The rule or peer in the policy, for example "spec.ingress[0].from[1]". */
  readonly path?: string;
}

/**
 * All reasons by code: the verdict of a direction, and a sentence with placeholders in braces. "unknown" means that the specifications, or the
 * given objects, leave it open.
 */
export const policyReasons = {
  NotAPod: { verdict: 'allowed', message: '{subject} is not a pod, and policies restrict pods only.' },
  HostNetworkNotSelected: { verdict: 'allowed', message: '{subject} uses the host network, and policies are not applied to it.' },
  NotSelected: { verdict: 'allowed', message: 'No policy selects {subject} for {direction}, so all of this traffic is allowed.' },
  NoRuleMatches: {
    verdict: 'allowed',
    message: 'Cluster-wide policies select {subject}, but no rule of them matches, and no NetworkPolicy selects it for {direction}.',
  },
  RuleAllows: { verdict: 'allowed', message: '{path} of {policy} allows the traffic.' },
  RuleAccepts: { verdict: 'allowed', message: '{path} of {policy} matches first, and its action is {action}.' },
  OwnNode: { verdict: 'allowed', message: 'The traffic comes from the node of {subject}, which NetworkPolicies always allow.' },
  PodToItself: { verdict: 'allowed', message: '{subject} sends the traffic to itself, which NetworkPolicies always allow.' },
  NoRuleAllows: {
    verdict: 'denied',
    message: 'These policies select {subject} for {direction}, and none of their rules allows the traffic: {policies}.',
  },
  RuleDenies: { verdict: 'denied', message: '{path} of {policy} matches first, and its action is Deny.' },
  UnknownPeerDenies: {
    verdict: 'denied',
    message: '{path} of {policy} has a peer without a known field. A rule with the action {action} then denies all traffic.',
  },
  HostNetworkUndefined: {
    verdict: 'unknown',
    message: '{pod} uses the host network: it depends on the network plugin whether NetworkPolicies treat it as a pod or as its node.',
  },
  EgressToOwnNodeUndefined: {
    verdict: 'unknown',
    message: 'The traffic goes to the node of {subject}: no rule allows it, and it is not defined whether NetworkPolicies restrict it.',
  },
  PodToItselfUndefined: {
    verdict: 'unknown',
    message: '{subject} sends the traffic to itself: it is not defined whether {path} of {policy} restricts it.',
  },
  SamePriorityUndefined: {
    verdict: 'unknown',
    message: 'These have the same priority and match, so it is not defined which of them is applied: {policies}.',
  },
  OtherDirectionUndefined: {
    verdict: 'unknown',
    message:
      'NetworkPolicies select {subject}, but not for {direction}: it is not defined whether this keeps the Baseline tier from being applied.',
  },
  PortNameRepeated: {
    verdict: 'unknown',
    message: '{pod} has several ports with the name {name}: it is not defined which of them {path} of {policy} means.',
  },
  PortOfSidecar: {
    verdict: 'unknown',
    message: 'Only a sidecar of {pod} has a port {name}: it is not defined whether {path} of {policy} means it.',
  },
  CIDRAmbiguous: {
    verdict: 'unknown',
    message:
      '{path} of {policy} has the CIDR {cidr}, which network plugins read differently: write it without leading zeros and as plain IPv4.',
  },
  AddressUnknown: { verdict: 'unknown', message: '{path} of {policy} depends on the address of {peer}, which is unknown.' },
  NamespaceUnknown: {
    verdict: 'unknown',
    message: '{path} of {policy} depends on the labels of namespace {namespace}, which is not among the objects.',
  },
  NodesUnknown: { verdict: 'unknown', message: '{path} of {policy} depends on nodes, which are not among the objects.' },
  DomainNamesUnknown: {
    verdict: 'unknown',
    message: '{path} of {policy} depends on the addresses of domain names, which are not known here.',
  },
} as const;

/** Values for the braces of a message. */
export type ReasonValues = Readonly<Record<string, string>>;

/** The rule, or the peer in it, that a reason is about. */
export interface RuleLocation {
  readonly policy: PolicyReference;
  readonly path: string;
}

export function createReason(code: PolicyReasonCode, values: ReasonValues, location?: RuleLocation): PolicyReason {
  const all: ReasonValues = location ? { ...values, path: location.path, policy: formatPolicy(location.policy) } : values;
  return { code, message: policyReasons[code].message.replace(/\{(\w+)\}/g, (braces, name: string) => all[name] ?? braces), ...location };
}

/** For example: NetworkPolicy shop/db. */
export const formatPolicy = ({ kind, namespace, name }: PolicyReference): string =>
  `${kind} ${namespace === undefined ? name : `${namespace}/${name}`}`;
