import { type ConformanceCheck, createConformanceCheck } from '../conform.ts';
import { buildProxy } from './build.ts';
import type { ProxyAnswer, ProxyWorld } from './case.ts';
import { firstDifference } from './compare.ts';
import { generateProxy } from './generate.ts';
import { replayProxy } from './replay.ts';

export { proxyReleases } from './build.ts';

/** Compares the views and rules of generated nodes with those of kube-proxy in a release. */
export const conformProxy: ConformanceCheck = createConformanceCheck<ProxyWorld, ProxyAnswer>({
  build: buildProxy,
  mode: 'run',
  generate: generateProxy,
  replay: (release, world) => replayProxy(world, release),
  firstDifference,
  excerpt: (world) => world,
  countsOf,
  summary: (release, cases, { views, ports, panics }) =>
    `${release} proxy: ${cases} nodes, ${views} views of ${ports} ports and their rules of all modes compared, ${panics} panics`,
});

/** Counts the views of all IP families. A family without a view had a panic. */
function countsOf({ families }: ProxyAnswer): Record<'views' | 'ports' | 'panics', number> {
  const all = Object.values(families);
  const views = all.filter(({ error }) => error === undefined);
  return { views: views.length, ports: views.reduce((sum, { ports }) => sum + ports.length, 0), panics: all.length - views.length };
}
