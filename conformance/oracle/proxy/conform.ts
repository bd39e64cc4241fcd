import { type Conform, conformWith } from '../conform.ts';
import { buildProxy } from './build.ts';
import type { ProxyAnswer, ProxyWorld } from './case.ts';
import { firstDifference } from './compare.ts';
import { generateProxy } from './generate.ts';
import { replayProxy } from './replay.ts';

export { proxyReleases } from './build.ts';

/** Compares views and rules with kube-proxy's of a release, over nodes. */
export const conformProxy: Conform = conformWith<ProxyWorld, ProxyAnswer>({
  build: buildProxy,
  mode: 'run',
  generate: generateProxy,
  replay: (_, world) => replayProxy(world),
  firstDifference,
  excerpt: (world) => world,
  countsOf,
  summary: (release, cases, { views, ports, panics }) =>
    `${release} proxy: ${cases} nodes, ${views} views of ${ports} ports and their iptables and nftables rules compared, ${panics} panics`,
});

/** Each family has its own view. */
function countsOf({ families }: ProxyAnswer): Record<'views' | 'ports' | 'panics', number> {
  const all = Object.values(families);
  const whole = all.filter(({ error }) => error === undefined);
  return { views: whole.length, ports: whole.reduce((sum, { ports }) => sum + ports.length, 0), panics: all.length - whole.length };
}
