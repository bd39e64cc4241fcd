import type { DnsProfile } from './gates.ts';
import type { Host } from './name.ts';

/** One endpoint or address that a name leads to: msg.Service of CoreDNS. */
export interface AnswerItem {
  readonly host: Host;
  /** -1 if no ports are declared, or if a slice's port has no number. */
  readonly port: number;
  /** Target of an SRV record, relative to the zone: "web-0.web.shop.svc". */
  readonly owner: string;
}

/** All endpoints and addresses that a name leads to. */
export interface ItemSet {
  readonly items: readonly AnswerItem[];
  /** Distinct addresses of each family, in the form used by records. */
  readonly ipv4: readonly string[];
  readonly ipv6: readonly string[];
  /** Hosts that are not addresses, one per item (duplicates included). */
  readonly names: readonly string[];
  /** Computed on first use. */
  srv: Srv | undefined;
}

/** SRV targets and their addresses, relative to the zone. */
export interface Srv {
  readonly weight: number;
  readonly targets: readonly { readonly owner: string; readonly port: number }[];
  readonly glue: readonly { readonly owner: string; readonly host: Host }[];
}

export function createItemSet(items: readonly AnswerItem[]): ItemSet {
  return { items, ipv4: listAddresses(items, 'A'), ipv6: listAddresses(items, 'AAAA'), names: listNames(items), srv: undefined };
}

/** Mirrors SRV (CoreDNS 1.14, plugin/backend_lookup.go). The weight depends on all items, even duplicates and items without ports. */
export function getSrv(itemSet: ItemSet, gates: DnsProfile): Srv {
  itemSet.srv ??= createSrv(
    itemSet.items.filter(({ host }) => host.type !== 'CNAME'),
    gates,
  );
  return itemSet.srv;
}

/** 100 divided by the number of items, rounded down. In floating point, as upstream. */
export const computeSrvWeight = (count: number, { srvWeightAtLeastOne }: DnsProfile): number =>
  Math.max(srvWeightAtLeastOne ? 1 : 0, Math.floor((100 / (100 * count)) * 100));

/** Removes duplicates by the original text, so that two spellings of an address yield two records. */
function listAddresses(items: readonly AnswerItem[], type: 'A' | 'AAAA'): readonly string[] {
  const [first] = items;
  if (first && items.length === 1) return first.host.type === type ? [first.host.data] : emptyList;
  const byText = new Map<string, string>();
  for (const { host } of items) if (host.type === type) byText.set(host.text, host.data);
  return byText.size === 0 ? emptyList : [...byText.values()];
}

function listNames(items: readonly AnswerItem[]): readonly string[] {
  const names = items.filter(({ host }) => host.type === 'CNAME').map(({ host }) => host.data);
  return names.length === 0 ? emptyList : names;
}

const emptyList: readonly string[] = [];

export const emptyItemSet: ItemSet = /* @__PURE__ */ createItemSet([]);

function createSrv(items: readonly AnswerItem[], gates: DnsProfile): Srv {
  const targets = new Map<string, { owner: string; port: number }>();
  const glue = new Map<string, { owner: string; host: Host }>();
  for (const { owner, port, host } of items) {
    if (port === -1) continue;
    const target = `${owner} ${port & 0xffff}`;
    if (!targets.has(target)) targets.set(target, { owner, port: port & 0xffff });
    const address = `${owner} ${host.text}`;
    if (!glue.has(address)) glue.set(address, { owner, host });
  }
  return { weight: computeSrvWeight(items.length, gates), targets: [...targets.values()], glue: [...glue.values()] };
}
