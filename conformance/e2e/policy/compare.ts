import type { TrafficVerdict } from 'kube-endpoints/policy';
import type { PolicyWorld } from '../../oracle/policy/case.ts';
import { replayProbe } from '../../oracle/policy/replay.ts';
import type { PacketAnswer } from './packets.ts';
import type { PacketProbe } from './probes.ts';

/** A probe whose packets contradict the verdict. */
export interface Mismatch {
  readonly probe: PacketProbe;
  /** The namespace and port that replied, "rejected", or an error. */
  readonly packets: string;
  readonly verdict: TrafficVerdict;
}

export interface Comparison {
  readonly probes: number;
  readonly unknown: number;
  readonly allowed: number;
  readonly denied: number;
  readonly mismatches: readonly Mismatch[];
}

/** Compares what happened to packets with the verdicts. An unknown verdict only requires that the packets had an outcome. */
export function comparePackets(world: PolicyWorld, probes: readonly PacketProbe[], { results }: PacketAnswer): Comparison {
  const counts = { unknown: 0, allowed: 0, denied: 0 };
  const mismatches: Mismatch[] = [];
  for (const [i, probe] of probes.entries()) {
    const packets = results[i] ?? 'error: no result';
    const verdict = replayProbe({ world, probe }, 'controller');
    const reply = `${probe.target} ${probe.port}`;
    const expected = { true: [reply], false: ['rejected'], unknown: [reply, 'rejected'] }[`${verdict.allowed}`];
    if (!expected.includes(packets)) mismatches.push({ probe, packets, verdict });
    else if (verdict.allowed === 'unknown') counts.unknown++;
    else counts[verdict.allowed ? 'allowed' : 'denied']++;
  }
  return { probes: probes.length, ...counts, mismatches };
}
