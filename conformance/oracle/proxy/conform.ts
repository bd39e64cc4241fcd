import { minorOf } from '../build.ts';
import { type ConformanceCheck, createConformanceCheck } from '../conform.ts';
import { buildProxy, firstWithSloppyParser } from './build.ts';
import type { ProxyAnswer, ProxyWorld } from './case.ts';
import { firstDifference } from './compare.ts';
import { generateProxy } from './generate.ts';
import { replayProxy } from './replay.ts';

export { proxyReleases } from './build.ts';

/** Compares the views and rules of generated nodes with those of kube-proxy in a release. */
export const conformProxy: ConformanceCheck = (release, ...rest) => createCheck(release)(release, ...rest);

const createCheck = (release: string): ConformanceCheck =>
  createConformanceCheck<ProxyWorld, ProxyAnswer>({
    build: buildProxy,
    mode: 'run',
    generate: (seed, count, from) => adaptWorlds(generateProxy(seed, count, from, minorOf(release) < 22), release),
    replay: (release, world, theirs) => replayProxy(world, release, theirs),
    firstDifference,
    excerpt: (world) => world,
    countsOf,
    summary: (release, cases, { views, ports, panics }) =>
      `${release} proxy: ${cases} nodes, ${views} views of ${ports} ports and their rules of all modes compared, ${panics} panics`,
  });

/** Before 1.23, replaces the address whose group has five digits: kube-proxy's own Go accepted it, but the Go that builds it does not. */
function* adaptWorlds(worlds: Iterable<ProxyWorld>, release: string): Generator<ProxyWorld> {
  for (const world of worlds) {
    const isAdapted = minorOf(release) < firstWithSloppyParser;
    yield isAdapted ? (JSON.parse(JSON.stringify(world).replaceAll('2001:db8::00001', '2001:db8::1')) as ProxyWorld) : world;
  }
}

/** Counts the views of all IP families. A family without a view had a panic. */
function countsOf({ families }: ProxyAnswer): Record<'views' | 'ports' | 'panics', number> {
  const all = Object.values(families);
  const views = all.filter(({ error }) => error === undefined);
  return { views: views.length, ports: views.reduce((sum, { ports }) => sum + ports.length, 0), panics: all.length - views.length };
}
