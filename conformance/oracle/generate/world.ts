import type { Random } from '../random.ts';
import type { Traits } from './themes.ts';

/** The properties shared by the parts of one case. */
export interface World {
  readonly random: Random;
  readonly traits: Traits;
  readonly namespace: string;
  readonly name: string;
  /** Whether the Service's primary IP family is IPv6. */
  readonly isPrimaryIPv6: boolean;
  readonly isDualStack: boolean;
  /** Port names shared by the Service's target ports and the containers. */
  readonly portNames: readonly string[];
  /** Returns a number that is unique within the case. */
  readonly nextUniqueNumber: () => number;
}

export function createWorld(random: Random, traits: Traits): World {
  let last = 0;
  return {
    random,
    traits,
    namespace: random.pick(['default', 'shop', 'kube-system']),
    name: random.pick(['web', 'db', 'cart', 'dns']),
    isPrimaryIPv6: random.chance(traits.ipv6),
    isDualStack: random.chance(traits.dualStack),
    portNames: random.shuffle(['http', 'admin', 'metrics', 'grpc', 'dns']).slice(0, 3),
    nextUniqueNumber: () => {
      last += 1 + random.int(7);
      return last;
    },
  };
}

const start = Date.UTC(2025, 10, 3);

/**
 * Draws a time within 20 days, in whole seconds and UTC, as API servers write it. With the trait `oddTimes`, it may have a fraction and an
 * offset.
 */
export function randomTime({ random, traits }: World): string {
  const seconds = new Date(start + random.int(20 * 86400) * 1000).toISOString().slice(0, 19);
  if (!random.chance(traits.oddTimes)) return `${seconds}Z`;
  const fraction = random.pick(['', '.5', '.120', '.123456', '.123456789', '.000000001', '.900']);
  return `${seconds}${fraction}${random.pick(['Z', '+00:00', '+02:00', '-07:30', '+13:45'])}`;
}

/** Draws the protocol of a port. An API server sets the default, but an object in a file may lack it. */
export const randomProtocol = ({ random, traits }: World): string | undefined =>
  random.chance(traits.oddPorts / 4) ? undefined : random.pick(['TCP', 'TCP', 'TCP', 'TCP', 'UDP', 'SCTP']);
