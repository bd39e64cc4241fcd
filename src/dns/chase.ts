import type { DnsQuestion, DnsRecord, DnsReply } from './answer.ts';
import { printedName } from './format.ts';
import type { Found } from './found.ts';
import { lookUp } from './lookup.ts';
import { isAtOrBelow, lowered, relativeTo } from './name.ts';
import { isDefaultServer, lookUpServers } from './name-servers.ts';
import type { Asked } from './request.ts';
import type { Lookup, World } from './world.ts';

/** The state of following CNAMEs for one question. */
export interface Chase {
  readonly world: World;
  readonly type: 'A' | 'AAAA';
  /** Names that the host has to look up, without duplicates. */
  readonly outside: Map<string, DnsQuestion>;
  /** Queries this server's zones for a name outside the current one; undefined if none of them answers. */
  readonly askAgain: (question: DnsQuestion) => DnsReply | undefined;
  /** Remaining work, so that names leading to many names terminate. A name or a record costs one. */
  readonly budget: { left: number };
}

/** Budget of a question: more records than fit into any packet. */
export const budgetOfQuestion = 10_000;

/** Looks up a name, including the name server's own. Mirrors Services (CoreDNS 1.14, plugin/kubernetes/kubernetes.go). */
export const lookUpHosts = (world: World, asked: Asked, type: string): Lookup =>
  isDefaultServer(asked) ? lookUpServers(world, asked, type) : lookUp(world, asked);

/**
 * Address records of what was found, following CNAMEs. Mirrors A and AAAA (CoreDNS 1.14, plugin/backend_lookup.go).
 *
 * @param passed the CNAME targets followed so far
 */
export function addressRecords(chase: Chase, asked: Asked, { found }: Lookup, passed: readonly string[] = []): DnsRecord[] {
  const { type, world } = chase;
  const links = found.names.flatMap((target) => follow(chase, asked, target, passed));
  return [...links, ...hostRecords(asked.name, world.settings.ttl, type, found)];
}

/** Address records of what was found; CNAMEs are not followed. */
export function hostRecords(name: string, ttl: number, type: 'A' | 'AAAA', { ipv4, ipv6 }: Found): DnsRecord[] {
  return (type === 'A' ? ipv4 : ipv6).map((address) => ({ name, ttl, type, address }));
}

function follow(chase: Chase, asked: Asked, target: string, passed: readonly string[]): readonly DnsRecord[] {
  const { world, type, outside, budget } = chase;
  if (budget.left-- <= 0) return [];
  const lower = lowered(target);
  if (isAtOrBelow(lower, asked.lower) || passed.length > longestChain(world) || passed.includes(target)) return [];
  const link: DnsRecord = { name: asked.name, ttl: world.settings.ttl, type: 'CNAME', target };
  const zone = lowered(asked.zone);
  if (isAtOrBelow(lower, zone)) {
    const name = printedName(target);
    const next: Asked = { name, lower: lowered(name), zone: asked.zone, base: relativeTo(lowered(name), zone) };
    budget.left -= costOfLookup;
    const records = addressRecords(chase, next, lookUpHosts(world, next, type), [...passed, target]);
    budget.left -= records.length;
    return records.length > 0 ? [link, ...records] : [];
  }
  const question = { name: target, type };
  budget.left -= costOfCrossing;
  const own = chase.askAgain(question);
  if (!own) {
    budget.left += costOfCrossing;
    outside.set(target, question);
  }
  return [link, ...(own?.answer ?? [])];
}

/** Costs in units of the budget. They stop two zones that lead to each other after a few rounds. */
const costOfLookup = 32;
const costOfCrossing = 1_000;

const longestChain = ({ settings }: World): number => (settings.gates.longerChains ? 10 : 7);
