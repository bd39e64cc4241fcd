import type { TrackedObjects } from 'kube-endpoints/internal';
import { createProxier, formatIptablesTransaction, formatNftablesTransaction, type ProxyService } from 'kube-endpoints/proxy';
import type { EndpointSliceInput } from 'kube-endpoints/types';
import { nodeOf } from '../../../test/golden/proxy/form.ts';
import type { ProxyBenchCase } from './bench-case.ts';

/** The best of several rounds, in milliseconds: elapsed time, and processor time on all cores. */
export interface Cost {
  readonly clock: number;
  readonly processor: number;
}

/** The same fields as the oracle's output. */
export interface Timing {
  readonly id: string;
  /** The first sync, including the delivery of all objects to the proxier. */
  readonly full: Cost;
  /** A full sync without a change. */
  readonly again: Cost;
  /** A sync after one endpoint has changed. */
  readonly changed: Cost;
  /** The length of the input for nft or iptables-restore. */
  readonly fullBytes: number;
  readonly changedBytes: number;
}

export function measureOurs(benchCase: ProxyBenchCase): Timing {
  const timings = Array.from({ length: rounds }, () => runRound(benchCase));
  const minimum = (measurement: 'full' | 'again' | 'changed'): Cost => ({
    clock: Math.min(...timings.map((round) => round[measurement].clock)),
    processor: Math.min(...timings.map((round) => round[measurement].processor)),
  });
  return { ...(timings[0] as Timing), full: minimum('full'), again: minimum('again'), changed: minimum('changed') };
}

const rounds = 5;

/** A proxier that formats its transactions as text. */
interface TextProxier {
  readonly services: TrackedObjects<ProxyService>;
  readonly endpointSlices: TrackedObjects<EndpointSliceInput>;
  forget(): void;
  write(): string;
}

function createTextProxier(benchCase: ProxyBenchCase): TextProxier {
  const node = nodeOf(benchCase);
  if (benchCase.rules[0] === 'iptables') {
    const proxier = createProxier({ node, mode: 'iptables' });
    return { ...proxier, write: () => formatIptablesTransaction(proxier.sync()) };
  }
  const proxier = createProxier({ node });
  return { ...proxier, write: () => formatNftablesTransaction(proxier.sync()) };
}

function runRound(benchCase: ProxyBenchCase): Timing {
  const proxier = createTextProxier(benchCase);
  const full = measureCost(1, () => {
    for (const service of benchCase.services) proxier.services.set(service);
    for (const slice of benchCase.endpointSlices) proxier.endpointSlices.set(slice);
    return proxier.write().length;
  });
  const secondFull = measureCost(1, () => {
    proxier.forget();
    return proxier.write().length;
  });
  const changed = measureCost(benchCase.changes.length, () => {
    let bytes = 0;
    for (const slice of benchCase.changes) {
      proxier.endpointSlices.set(slice);
      bytes = proxier.write().length;
    }
    return bytes;
  });
  return {
    id: benchCase.id,
    full: full.cost,
    again: secondFull.cost,
    changed: changed.cost,
    fullBytes: full.bytes,
    changedBytes: changed.bytes,
  };
}

/** Measures `work`, and returns its cost divided by `count`. */
function measureCost(count: number, work: () => number): { readonly cost: Cost; readonly bytes: number } {
  const [start, cpuBefore] = [performance.now(), process.cpuUsage()];
  const bytes = work();
  const clock = (performance.now() - start) / count;
  const { user, system } = process.cpuUsage(cpuBefore);
  return { cost: { clock, processor: (user + system) / 1000 / count }, bytes };
}
