import { dumpIptables, listNftables } from 'kube-endpoints/internal';
import { iptablesRules, nftablesRules } from 'kube-endpoints/proxy';
import type { IPFamily } from 'kube-endpoints/types';
import { answerOf, nodeOf, viewOf } from '../../../test/golden/proxy/form.ts';
import type { FamilyAnswer, ProxyAnswer, ProxyWorld } from './case.ts';

/** Returns the library's answer to a case. */
export const replayProxy = (world: ProxyWorld): ProxyAnswer => ({
  id: world.id,
  families: { IPv4: replayFamily(world, 'IPv4'), IPv6: replayFamily(world, 'IPv6') },
});

function replayFamily(world: ProxyWorld, family: IPFamily): FamilyAnswer {
  const view = viewOf(world, family);
  const node = { ...nodeOf(world), ...(world.masqueradeBit !== undefined && { masqueradeBit: world.masqueradeBit }) };
  return {
    ...answerOf(view),
    // kube-proxy writes nothing to the table mangle.
    ...(world.rules.includes('iptables') && { iptables: { ...dumpIptables(iptablesRules(view, node)), mangle: {} } }),
    ...(world.rules.includes('nftables') && { nftables: listNftables(nftablesRules(view, node)) }),
  };
}
