import { dumpIptables, listNftables, proxyGatesFor } from 'kube-endpoints/internal';
import { iptablesRules, ipvsRules, nftablesRules } from 'kube-endpoints/proxy';
import type { IPFamily } from 'kube-endpoints/types';
import { answerOf, listIpvs, nodeOf, viewOf } from '../../../test/golden/proxy/form.ts';
import { optionsFor } from '../feature-gates.ts';
import type { FamilyAnswer, ProxyAnswer, ProxyWorld } from './case.ts';

/** Returns the library's answer to a case for a release. */
export const replayProxy = (world: ProxyWorld, version?: string): ProxyAnswer => ({
  id: world.id,
  families: { IPv4: replayFamily(world, 'IPv4', version), IPv6: replayFamily(world, 'IPv6', version) },
});

function replayFamily(world: ProxyWorld, family: IPFamily, version: string | undefined): FamilyAnswer {
  const options = version === undefined ? {} : optionsFor(version);
  const view = viewOf(world, family, options);
  const node = { ...nodeOf(world), ...(world.masqueradeBit !== undefined && { masqueradeBit: world.masqueradeBit }) };
  return {
    ...answerOf(view),
    // kube-proxy writes nothing to the table mangle.
    ...(world.rules.includes('iptables') && { iptables: { ...dumpIptables(iptablesRules(view, node, options)), mangle: {} } }),
    ...(world.rules.includes('nftables') &&
      proxyGatesFor(options).nftablesMode && { nftables: listNftables(nftablesRules(view, node, options)) }),
    ...(world.rules.includes('ipvs') && proxyGatesFor(options).nftablesMode && { ipvs: listIpvs(ipvsRules(view, node, options)) }),
  };
}
