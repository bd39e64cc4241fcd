import { dumpIptables, listNftables } from 'kube-endpoints/internal';
import { iptablesRules, nftablesRules } from 'kube-endpoints/proxy';
import type { IPFamily } from 'kube-endpoints/types';
import { answerOf, nodeOf, viewOf } from '../../../test/golden/proxy/form.ts';
import type { FamilyAnswer, ProxyAnswer, ProxyWorld } from './case.ts';

/** The library's answer to a case. */
export const replayProxy = (asked: ProxyWorld): ProxyAnswer => ({
  id: asked.id,
  families: { IPv4: replayFamily(asked, 'IPv4'), IPv6: replayFamily(asked, 'IPv6') },
});

function replayFamily(asked: ProxyWorld, family: IPFamily): FamilyAnswer {
  const view = viewOf(asked, family);
  const node = { ...nodeOf(asked), ...(asked.masqueradeBit !== undefined && { masqueradeBit: asked.masqueradeBit }) };
  return {
    ...answerOf(view),
    // kube-proxy writes nothing to this table
    ...(asked.rules.includes('iptables') && { iptables: { ...dumpIptables(iptablesRules(view, node)), mangle: {} } }),
    ...(asked.rules.includes('nftables') && { nftables: listNftables(nftablesRules(view, node)) }),
  };
}
