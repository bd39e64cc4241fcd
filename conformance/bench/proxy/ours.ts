import type { TrackedObjects } from 'kube-endpoints/internal';
import { createProxier, formatIptablesTransaction, formatNftablesTransaction, type ProxyService } from 'kube-endpoints/proxy';
import type { EndpointSliceInput } from 'kube-endpoints/types';
import { nodeOf } from '../../../test/golden/proxy/form.ts';
import type { ProxyBenchCase } from './world.ts';

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

export function measureOurs(world: ProxyBenchCase): Timing {
  const all = Array.from({ length: rounds }, () => oneRound(world));
  const minimum = (of: 'full' | 'again' | 'changed'): Cost => ({
    clock: Math.min(...all.map((round) => round[of].clock)),
    processor: Math.min(...all.map((round) => round[of].processor)),
  });
  return { ...(all[0] as Timing), full: minimum('full'), again: minimum('again'), changed: minimum('changed') };
}

const rounds = 5;

/** A proxier that formats its transactions as text. */
interface TextProxier {
  readonly services: TrackedObjects<ProxyService>;
  readonly endpointSlices: TrackedObjects<EndpointSliceInput>;
  forget(): void;
  write(): string;
}

function createTextProxier(world: ProxyBenchCase): TextProxier {
  const node = nodeOf(world);
  if (world.rules[0] === 'iptables') {
    const proxier = createProxier({ node, mode: 'iptables' });
    return { ...proxier, write: () => formatIptablesTransaction(proxier.sync()) };
  }
  const proxier = createProxier({ node });
  return { ...proxier, write: () => formatNftablesTransaction(proxier.sync()) };
}

function oneRound(world: ProxyBenchCase): Timing {
  const scribe = createTextProxier(world);
  const full = measureCost(1, () => {
    for (const service of world.services) scribe.services.set(service);
    for (const slice of world.endpointSlices) scribe.endpointSlices.set(slice);
    return scribe.write().length;
  });
  const again = measureCost(1, () => {
    scribe.forget();
    return scribe.write().length;
  });
  const changed = measureCost(world.changes.length, () => {
    let bytes = 0;
    for (const slice of world.changes) {
      scribe.endpointSlices.set(slice);
      bytes = scribe.write().length;
    }
    return bytes;
  });
  return { id: world.id, full: full.cost, again: again.cost, changed: changed.cost, fullBytes: full.bytes, changedBytes: changed.bytes };
}

/** @returns the cost per piece */
function measureCost(pieces: number, work: () => number): { readonly cost: Cost; readonly bytes: number } {
  const [start, used] = [performance.now(), process.cpuUsage()];
  const bytes = work();
  const clock = (performance.now() - start) / pieces;
  const { user, system } = process.cpuUsage(used);
  return { cost: { clock, processor: (user + system) / 1000 / pieces }, bytes };
}
