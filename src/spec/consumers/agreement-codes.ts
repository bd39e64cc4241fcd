import { messageOf } from './merge-collect.ts';

export type DifferenceCode = keyof typeof differenceMessages;
export type DisregardedCode = keyof typeof disregardedMessages;

/** Messages for every kind of difference between Endpoints and slices. Values are in braces. */
export const differenceMessages = {
  MissingInSlices: '{address} is {endpoints} in Endpoints, but in no slice',
  MissingInEndpoints: '{address} is {slices} in slices, but not in Endpoints',
  PortsDiffer: '{address} has {endpoints} in Endpoints, but {slices} in slices',
  ReadinessDiffers: '{address} is {endpoints} in Endpoints, but {slices} in slices',
  TargetDiffers: '{address} is {endpoints} in Endpoints, but {slices} in slices',
  NodeDiffers: '{address} is on {endpoints} in Endpoints, but on {slices} in slices',
  HostnameDiffers: '{address} has {endpoints} in Endpoints, but {slices} in slices',
  AppProtocolDiffers: '{port} has {endpoints} in Endpoints, but {slices} in slices',
} as const;

/** Messages for every expected difference, which is disregarded, with its reason. */
export const disregardedMessages = {
  OtherService: 'slices of other Services, or without a Service',
  OtherFamily: 'addresses of the other address type: slices list all of a dual-stack Service, Endpoints those of its primary family',
  NameAddress: 'addresses of type FQDN, which Endpoints cannot express',
  Terminating: 'terminating endpoints that are not ready: slices list them until they are deleted, Endpoints do not',
  Unresolved: "pods with none of the Service's ports: slices list them without ports, Endpoints do not",
  PortWithoutNumber: 'endpoints of a port without a number, which Endpoints cannot express',
  Truncated: 'addresses and ports that only slices have: Endpoints are truncated to 1,000 addresses, as their annotation shows',
  NotMirrored: 'addresses that only Endpoints have: the mirroring controller copies at most 1,000 addresses of a subset',
  SharedAddress: 'other targets of a shared address that only one side lists',
} as const;

/** One difference between the Endpoints and the slices of a Service. */
export interface Difference {
  readonly code: DifferenceCode;
  readonly message: string;
  /** Absent if the difference concerns a port of all addresses. */
  readonly address?: string;
  /** The value in Endpoints, in words; absent if they have none. */
  readonly inEndpoints?: string;
  /** The value in slices, in words; absent if they have none. */
  readonly inSlices?: string;
  /** The slices that contain this value. */
  readonly slices: string[];
}

/** A kind of expected difference, with its count and reason. */
export interface Disregarded {
  readonly code: DisregardedCode;
  readonly message: string;
  /** The number of addresses; for `OtherService`, the number of slices. */
  readonly count: number;
}

interface DifferenceValues {
  readonly address?: string;
  readonly port?: string;
  readonly endpoints?: string;
  readonly slices?: string;
  readonly names?: readonly string[];
}

export function createDifference(
  code: DifferenceCode,
  { address, port = '', endpoints, slices, names = [] }: DifferenceValues,
): Difference {
  return {
    code,
    message: messageOf(differenceMessages[code], { address: address ?? '', port, endpoints: endpoints ?? '', slices: slices ?? '' }),
    ...(address !== undefined && { address }),
    ...(endpoints !== undefined && { inEndpoints: endpoints }),
    ...(slices !== undefined && { inSlices: slices }),
    slices: [...names],
  };
}

/** Counts disregarded items; each key counts once per code. */
export interface Tally {
  add(code: DisregardedCode, key: string): void;
  toDisregarded(): Disregarded[];
}

export function createTally(): Tally {
  const keys = new Map<DisregardedCode, Set<string>>();
  return {
    add(code, key) {
      const set = keys.get(code) ?? new Set();
      keys.set(code, set.add(key));
    },
    toDisregarded() {
      const codes = Object.keys(disregardedMessages) as DisregardedCode[];
      return codes
        .filter((code) => keys.has(code))
        .map((code) => ({ code, message: disregardedMessages[code], count: keys.get(code)?.size ?? 0 }));
    },
  };
}
