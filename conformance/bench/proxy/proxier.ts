import type { TrackedObjects } from 'kube-endpoints/internal';
import { createProxier, formatIptablesTransaction, formatNftablesTransaction, type ProxyService } from 'kube-endpoints/proxy';
import type { EndpointSliceInput } from 'kube-endpoints/types';
import { nodeOf } from '../../../test/golden/proxy/form.ts';
import type { ProxyBenchCase } from './bench-case.ts';

/** Elapsed time, and processor time on all cores, in milliseconds. */
export interface Cost {
  readonly elapsed: number;
  readonly processor: number;
}

/** The measurements of one mode, with the same fields as the output of the Go program that measures kube-proxy. */
export interface Timing {
  readonly id: string;
  /** The first sync, including the delivery of all objects to the proxier. */
  readonly full: Cost;
  /** A full sync without a change. */
  readonly unchanged: Cost;
  /** A sync after one endpoint has changed. */
  readonly changed: Cost;
  /** The length of the text for nft or iptables-restore that the first sync returned. */
  readonly fullBytes: number;
  /** The length of the text that the last sync after a change returned. */
  readonly changedBytes: number;
}

/** Returns the lowest cost of each measurement in several rounds. */
export function measureProxier(benchCase: ProxyBenchCase): Timing {
  const timings = Array.from({ length: rounds }, () => runRound(benchCase));
  const minimum = (measurement: 'full' | 'unchanged' | 'changed'): Cost => ({
    elapsed: Math.min(...timings.map((round) => round[measurement].elapsed)),
    processor: Math.min(...timings.map((round) => round[measurement].processor)),
  });
  return { ...(timings[0] as Timing), full: minimum('full'), unchanged: minimum('unchanged'), changed: minimum('changed') };
}

const rounds = 5;

/** A proxier that formats its transactions as text. */
interface TextProxier {
  readonly services: TrackedObjects<ProxyService>;
  readonly endpointSlices: TrackedObjects<EndpointSliceInput>;
  /** Makes the next sync a full one. */
  forget(): void;
  syncToText(): string;
}

function createTextProxier(benchCase: ProxyBenchCase): TextProxier {
  const node = nodeOf(benchCase);
  if (benchCase.rules[0] === 'iptables') {
    const proxier = createProxier({ node, mode: 'iptables' });
    return { ...proxier, syncToText: () => formatIptablesTransaction(proxier.sync()) };
  }
  const proxier = createProxier({ node });
  return { ...proxier, syncToText: () => formatNftablesTransaction(proxier.sync()) };
}

function runRound(benchCase: ProxyBenchCase): Timing {
  const proxier = createTextProxier(benchCase);
  const full = measureCost(1, () => {
    for (const service of benchCase.services) proxier.services.set(service);
    for (const slice of benchCase.endpointSlices) proxier.endpointSlices.set(slice);
    return proxier.syncToText().length;
  });
  const unchanged = measureCost(1, () => {
    proxier.forget();
    return proxier.syncToText().length;
  });
  const changed = measureCost(benchCase.changes.length, () => {
    let bytes = 0;
    for (const slice of benchCase.changes) {
      proxier.endpointSlices.set(slice);
      bytes = proxier.syncToText().length;
    }
    return bytes;
  });
  return {
    id: benchCase.id,
    full: full.cost,
    unchanged: unchanged.cost,
    changed: changed.cost,
    fullBytes: full.bytes,
    changedBytes: changed.bytes,
  };
}

/** Measures `work`, and returns its cost divided by `count`. */
function measureCost(count: number, work: () => number): { readonly cost: Cost; readonly bytes: number } {
  const [start, cpuBefore] = [performance.now(), process.cpuUsage()];
  const bytes = work();
  const elapsed = (performance.now() - start) / count;
  const { user, system } = process.cpuUsage(cpuBefore);
  return { cost: { elapsed, processor: (user + system) / 1000 / count }, bytes };
}
