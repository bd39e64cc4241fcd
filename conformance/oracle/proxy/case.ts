import type { IPFamily } from 'kube-endpoints/types';
import type { FamilyAnswer, ProxyCase } from '../../../test/golden/proxy/form.ts';

export type { FamilyAnswer } from '../../../test/golden/proxy/form.ts';

/** A node with Services and slices, and which rules are asked for. */
export interface ProxyWorld extends ProxyCase {
  readonly masqueradeBit?: number;
  readonly rules: readonly ('iptables' | 'nftables' | 'iptables-text')[];
  /** How often it is asked, where the answer is a matter of chance. */
  readonly tries?: number;
}

/** What the original says of one family, and what else it said where it was asked more often. */
export interface FamilyOutcomes extends FamilyAnswer {
  readonly others?: readonly FamilyAnswer[];
}

export interface ProxyAnswer {
  readonly id: string;
  readonly families: Readonly<Record<IPFamily, FamilyOutcomes>>;
}

/** The parts of a family's answer that are compared, each by its name. */
export type ProxyPart = keyof FamilyAnswer;
