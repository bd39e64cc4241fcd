import { dumpIptables, listNftables, type ProxyGates, proxyGatesFor } from 'kube-endpoints/internal';
import { parseCIDRSloppy } from 'kube-endpoints/internal/apimachinery';
import { iptablesRules, type NodeView, nftablesRules } from 'kube-endpoints/proxy';
import type { IPFamily } from 'kube-endpoints/types';
import { checkPort } from '../../../src/proxy/check.ts';
import { hasIpvsRules, ipvsRules } from '../../../src/proxy/ipvs/rules.ts';
import { answerOf, listIpvs, nodeOf, viewOf } from '../../../test/golden/proxy/form.ts';
import { optionsFor } from '../feature-gates.ts';
import type { FamilyAnswer, ProxyAnswer, ProxyWorld } from './case.ts';

/** Returns the library's answer to a case for a release. */
export const replayProxy = (world: ProxyWorld, version?: string, theirs?: ProxyAnswer): ProxyAnswer => ({
  id: world.id,
  families: { IPv4: replayFamily(world, 'IPv4', version, theirs), IPv6: replayFamily(world, 'IPv6', version, theirs) },
});

function replayFamily(world: ProxyWorld, family: IPFamily, version: string | undefined, theirs: ProxyAnswer | undefined): FamilyAnswer {
  const options = version === undefined ? {} : optionsFor(version);
  const view = viewOf(world, family, options);
  const node = { ...nodeOf(world), ...(world.masqueradeBit !== undefined && { masqueradeBit: world.masqueradeBit }) };
  const gates = proxyGatesFor(options);
  return {
    ...withoutLists(answerOf(view), gates.separatePolicies),
    // kube-proxy writes nothing to the table mangle.
    ...(world.rules.includes('iptables') && {
      iptables: refusedRules(view, theirs?.families[family], gates) ?? { ...dumpIptables(iptablesRules(view, node, options)), mangle: {} },
    }),
    ...(world.rules.includes('nftables') &&
      proxyGatesFor(options).nftablesMode && { nftables: listNftables(nftablesRules(view, node, options)) }),
    ...(world.rules.includes('ipvs') && hasIpvsRules(options) && { ipvs: listIpvs(ipvsRules(view, node, options)) }),
  };
}

/** Before 1.24, kube-proxy computes the lists of endpoints with the rules, so that only the rules show them. */
const withoutLists = (answer: FamilyAnswer, hasLists: boolean): FamilyAnswer =>
  hasLists ? answer : { ...answer, ports: answer.ports.map((port) => ({ ...port, ...noLists })) };

const noLists = {
  externallyAccessible: false,
  usesClusterEndpoints: false,
  usesLocalEndpoints: false,
  cluster: null,
  local: null,
  reachable: null,
  hasAny: false,
};

/**
 * Returns kube-proxy's rules if the library refuses the view because of an invalid address: before 1.21, kube-proxy writes it into rules,
 * which iptables-restore refuses.
 */
function refusedRules(view: NodeView, theirs: FamilyAnswer | undefined, gates: ProxyGates): FamilyAnswer['iptables'] {
  if (gates.checkedAddresses || !theirs) return undefined;
  try {
    for (const port of view.ports) checkPort(port, { balancerFamily: gates.balancerIPsOfFamily ? undefined : view.family });
    return undefined;
  } catch (error) {
    const rules = Object.values(theirs.iptables ?? {}).flatMap((chains) => Object.values(chains).flat());
    // After a panic, there are no rules.
    if (theirs.error !== undefined || rules.some((rule) => hasInvalidAddress(rule, view.family))) return theirs.iptables ?? {};
    throw error;
  }
}

function hasInvalidAddress(rule: string, family: IPFamily): boolean {
  const destination = / -d ([0-9a-f:.]+)/.exec(rule)?.[1];
  if (destination !== undefined && destination.includes(':') !== (family === 'IPv6')) return true;
  const source = / -s (.*?) -j /.exec(rule)?.[1];
  return rule.includes('-d <nil>/128') || (source !== undefined && !parseCIDRSloppy(source));
}
