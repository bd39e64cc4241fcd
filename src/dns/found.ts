import type { Host } from './name.ts';

/** One thing that a name leads to: msg.Service of CoreDNS. */
export interface Item {
  readonly host: Host;
  /** -1 where no ports are declared. */
  readonly port: number;
  /** Whom an SRV record leads to, below the zone: "web-0.web.shop.svc". */
  readonly owner: string;
}

/** All that a name leads to. */
export interface Found {
  readonly items: readonly Item[];
  /** Addresses of each family as records have them, each once. */
  readonly ipv4: readonly string[];
  readonly ipv6: readonly string[];
  /** What is no address, as often as there are items of it. */
  readonly names: readonly string[];
  /** Made when it is first asked for. */
  srv: Srv | undefined;
}

/** SRV records and the addresses beside them, without the zone. */
export interface Srv {
  readonly weight: number;
  readonly targets: readonly { readonly owner: string; readonly port: number }[];
  readonly glue: readonly { readonly owner: string; readonly host: Host }[];
}

export function foundItems(items: readonly Item[]): Found {
  return { items, ipv4: addressesOf(items, 'A'), ipv6: addressesOf(items, 'AAAA'), names: namesOf(items), srv: undefined };
}

/** Mirrors SRV (CoreDNS 1.14, plugin/backend_lookup.go): weights are shared by all items, those without ports and doubles included. */
export function srvOf(found: Found): Srv {
  found.srv ??= makeSrv(found.items.filter(({ host }) => host.type !== 'CNAME'));
  return found.srv;
}

/** The share of one of so many, in hundredths, and never none. In floating point, as there. */
export const srvWeight = (count: number): number => Math.max(1, Math.floor((100 / (100 * count)) * 100));

/** Two texts of one address are two. */
function addressesOf(items: readonly Item[], type: 'A' | 'AAAA'): readonly string[] {
  const [first] = items;
  if (first && items.length === 1) return first.host.type === type ? [first.host.data] : none;
  const byText = new Map<string, string>();
  for (const { host } of items) if (host.type === type) byText.set(host.text, host.data);
  return byText.size === 0 ? none : [...byText.values()];
}

function namesOf(items: readonly Item[]): readonly string[] {
  const names = items.filter(({ host }) => host.type === 'CNAME').map(({ host }) => host.data);
  return names.length === 0 ? none : names;
}

const none: readonly string[] = [];

export const nothing: Found = /* @__PURE__ */ foundItems([]);

function makeSrv(items: readonly Item[]): Srv {
  const targets = new Map<string, { owner: string; port: number }>();
  const glue = new Map<string, { owner: string; host: Host }>();
  for (const { owner, port, host } of items) {
    if (port === -1) continue;
    const target = `${owner} ${port & 0xffff}`;
    if (!targets.has(target)) targets.set(target, { owner, port: port & 0xffff });
    const address = `${owner} ${host.text}`;
    if (!glue.has(address)) glue.set(address, { owner, host });
  }
  return { weight: srvWeight(items.length), targets: [...targets.values()], glue: [...glue.values()] };
}
