import type { ProxyAnswer, ProxyCase } from '../../golden/proxy/form.ts';

export type { FamilyAnswer, ProxyAnswer } from '../../golden/proxy/form.ts';

/** A node with Services and slices, and which rules are asked for. */
export interface ProxyWorld extends ProxyCase {
  readonly masqueradeBit?: number;
  readonly rules: readonly ('iptables' | 'nftables')[];
}

/** The parts of a family's answer that are compared, each by its name. */
export type ProxyPart = keyof ProxyAnswer['families']['IPv4'];
