import { type Command, InvalidArgumentError, Option } from 'commander';
import { dnsProfile, type PodMode } from 'kube-endpoints/internal';
import { isDNS1123Label } from 'kube-endpoints/internal/apimachinery';
import { createWholeNumberParser } from './common.ts';

/** Configuration of the cluster's name server. */
export interface ZoneFlags {
  /** Such as "cluster.local". */
  readonly zone: string;
  readonly pods: PodMode;
  /** In seconds. */
  readonly ttl: number;
  /** The CoreDNS release; default: the newest. */
  readonly coredns?: string;
  readonly endpointPodNames: boolean;
  readonly ignoreEmptyService: boolean;
}

/** Defaults of the boolean flags, which commander leaves undefined if they are not given. */
export const zoneDefaults: Pick<ZoneFlags, 'endpointPodNames' | 'ignoreEmptyService'> = {
  endpointPodNames: false,
  ignoreEmptyService: false,
};

export const addZoneFlags = (command: Command): Command =>
  command
    .option('--zone <DOMAIN>', 'the cluster domain', parseZone, 'cluster.local')
    .addOption(
      new Option('--pods <MODE>', 'how pod names are answered, as the option "pods" of CoreDNS').choices(podModes).default('disabled'),
    )
    .option('--ttl <SECONDS>', 'the TTL of answers in seconds, 0 to 3600', createWholeNumberParser(0, 3600, ' of seconds'), 5)
    .option('--coredns <RELEASE>', 'the CoreDNS release whose answers to give, 1.6 to 1.15 (default: the newest)', parseCoreDNSRelease)
    .option('--endpoint-pod-names', 'name endpoints without a hostname after their pods')
    .option('--ignore-empty-service', 'answer NXDOMAIN for Services without ready endpoints');

/** The values of `--pods`. */
export const podModes: readonly string[] = ['disabled', 'insecure', 'verified'] satisfies PodMode[];

/** @throws InvalidArgumentError describing a valid domain */
export function parseZone(text: string): string {
  const zone = text.toLowerCase().replace(/\.$/, '');
  if (zone.length <= 253 && zone.split('.').every(isDNS1123Label)) return zone;
  throw new InvalidArgumentError('give a domain such as cluster.local');
}

const parseCoreDNSRelease = (text: string): string => validateText(text, () => dnsProfile(text.replace(/^v/, '')));

/** Returns the text unchanged if `validate` accepts it. @throws InvalidArgumentError with the message of `validate` */
export function validateText(text: string, validate: () => unknown): string {
  try {
    validate();
    return text;
  } catch (error) {
    throw new InvalidArgumentError((error as Error).message);
  }
}
