import type { IPFamily } from 'kube-endpoints/types';
import type { FamilyAnswer, ProxyCase } from '../../../test/golden/proxy/form.ts';

export type { FamilyAnswer } from '../../../test/golden/proxy/form.ts';

/** A node with Services and slices, and the rules to generate. */
export interface ProxyWorld extends ProxyCase {
  readonly masqueradeBit?: number;
  readonly rules: readonly ('iptables' | 'nftables' | 'ipvs' | 'iptables-text')[];
  /** The number of repetitions, if the answer is random. */
  readonly tries?: number;
}

/** kube-proxy's answer for one family, and its other answers if it was repeated. */
export interface FamilyOutcomes extends FamilyAnswer {
  readonly others?: readonly FamilyAnswer[];
}

export interface ProxyAnswer {
  readonly id: string;
  readonly families: Readonly<Record<IPFamily, FamilyOutcomes>>;
}

/** The parts of a family's answer that are compared by name. */
export type ProxyPart = keyof FamilyAnswer;
