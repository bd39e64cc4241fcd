import type { AdminNetworkPolicy, NetworkPolicy } from 'kube-endpoints/policy';
import type { Pod } from 'kube-endpoints/types';
import type { PolicyWorld } from '../../oracle/policy/case.ts';
import { changeAdminRules, changePeers, selectsLabels } from '../../oracle/policy/deviations.ts';
import { generatePolicy } from '../../oracle/policy/generate.ts';

type AdminRule = NonNullable<NonNullable<AdminNetworkPolicy['spec']>['ingress']>[number];
type Peer = NonNullable<AdminRule['to']>[number];

/** Worlds with fewer policies are skipped, because they allow nearly everything. */
const MIN_POLICIES = 3;

/**
 * Generates worlds of the oracle, without what its engine reads differently than the specification and cannot be expressed otherwise.
 * @param from the number of the first world
 */
export function* generateWorlds(seed: number, count: number, from = 0): Generator<PolicyWorld> {
  for (let number = from, found = 0; found < count; number++) {
    for (const world of generatePolicy(seed, 1, number)) {
      const { networkPolicies, adminNetworkPolicies, baselineAdminNetworkPolicies } = world;
      if (networkPolicies.length + adminNetworkPolicies.length + baselineAdminNetworkPolicies.length < MIN_POLICIES) continue;
      found++;
      yield changeAdminRules(world, restrictRule);
    }
  }
}

/** Replaces named ports of admin rules, which the engine takes for all ports, and removes peers without a known field, which it ignores. */
function restrictRule(rule: AdminRule): AdminRule[] {
  const ports = rule.ports?.map((port) => (port.namedPort ? { portNumber: { protocol: 'TCP', port: 80 } } : port));
  return changePeers({ ...rule, ...(ports && { ports }) }, (peer) => (Object.keys(peer).length === 0 ? [] : [peer]));
}

/**
 * The world in the form that the engine reads as the specification means it: empty lists of rules are absent, as API servers return them, and
 * peers by node are the addresses of the nodes.
 */
export function toEngineWorld(world: PolicyWorld): PolicyWorld {
  const changed = changeAdminRules(world, (rule) => changePeers(rule, (peer) => toNetworks(peer, world)));
  return { ...changed, networkPolicies: world.networkPolicies.map(removeEmptyLists) };
}

function toNetworks(peer: Peer, { nodes }: PolicyWorld): Peer[] {
  const selector = peer.nodes;
  if (!selector) return [peer];
  const selected = nodes.filter(({ metadata }) => selectsLabels(selector, metadata?.labels ?? {}));
  const addresses = selected.flatMap(({ status }) => status?.addresses ?? []).map(({ address }) => address ?? '');
  const networks = addresses.flatMap((address) => {
    if (address.includes(':')) return `${address}/128`;
    return address.includes('.') ? `${address}/32` : [];
  });
  return networks.length === 0 ? [] : [{ networks }];
}

function removeEmptyLists(policy: NetworkPolicy): NetworkPolicy {
  const { ingress, egress, ...spec } = policy.spec ?? {};
  return { ...policy, spec: { ...spec, ...(ingress?.length && { ingress }), ...(egress?.length && { egress }) } };
}

export const keyOf = ({ metadata }: Pod): string => `${metadata?.namespace}/${metadata?.name}`;
