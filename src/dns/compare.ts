import { findCauses, namesOfGates } from '../versions/causes.ts';
import { createZoneForSettings } from './cluster-zone.ts';
import { formatRecord } from './format.ts';
import { type DnsGateName, type DnsProfile, dnsGates, dnsProfile } from './gates.ts';
import type { DnsObjects } from './objects.ts';
import { parseConfig } from './settings.ts';

/** A record that only one of two CoreDNS releases has. */
export interface RecordChange {
  readonly change: 'added' | 'removed';
  /** "web.shop.svc.cluster.local. 5 IN A 10.0.0.1" */
  readonly record: string;
  /** The gates that cause the change. */
  readonly gates: readonly DnsGateName[];
}

/**
 * The CoreDNS release that kubeadm installs with the last patch release of a minor release of Kubernetes: 1.36 has 1.14.2. Mirrors
 * CoreDNSVersion (cmd/kubeadm/app/constants/constants.go). Earlier releases installed a CoreDNS that is not specified here.
 */
export const coreDNSReleases: Readonly<Record<string, string>> = {
  '1.19': '1.7.0',
  '1.20': '1.7.0',
  '1.21': '1.8.0',
  '1.22': '1.8.4',
  '1.23': '1.8.6',
  '1.24': '1.8.6',
  '1.25': '1.9.3',
  '1.26': '1.9.3',
  '1.27': '1.10.1',
  '1.28': '1.10.1',
  '1.29': '1.11.1',
  '1.30': '1.11.3',
  '1.31': '1.11.3',
  '1.32': '1.11.3',
  '1.33': '1.12.0',
  '1.34': '1.12.1',
  '1.35': '1.13.1',
  '1.36': '1.14.2',
  '1.37': '1.14.6',
};

/**
 * Compares the records of the zone cluster.local that two CoreDNS releases have for the same objects: those of Services and of the endpoints
 * of headless Services. Which queries are refused, and reverse names, are not compared.
 * @throws RangeError for an unknown release
 */
export function compareRecords(objects: DnsObjects, from: string, to: string): RecordChange[] {
  const compute = (gates: DnsProfile): ReadonlySet<string> => {
    const zone = createZoneForSettings(parseConfig({}, gates), { objects });
    const records = Array.from(zone.transfer('cluster.local'));
    return new Set(records.filter(({ name }) => name.endsWith('.svc.cluster.local.')).map(formatRecord));
  };
  const [older, newer] = [dnsProfile(from), dnsProfile(to)];
  const [before, after] = [compute(older), compute(newer)];
  const findAspects = (a: ReadonlySet<string>, b: ReadonlySet<string>): string[] => [
    ...[...a].filter((record) => !b.has(record)).map((record) => `-${record}`),
    ...[...b].filter((record) => !a.has(record)).map((record) => `+${record}`),
  ];
  return findCauses({ older, newer, before, after, gates: namesOfGates(dnsGates), compute, findAspects }).map(({ what, gates }) => ({
    change: what.startsWith('+') ? 'added' : 'removed',
    record: what.slice(1),
    gates,
  }));
}
