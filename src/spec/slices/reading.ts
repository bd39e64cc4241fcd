import type { EndpointSliceInput, Service } from '../../types/index.ts';
import type { Profile } from '../../versions/index.ts';
import type { HintsMode } from './hints/intent.ts';
import { areSliceLabelsRight, isOwnedBy } from './metadata.ts';
import { slicePortsKey } from './ports.ts';

/** What a slice that is there says as a whole. */
export interface Reading {
  /** The parts that were read. Where nobody changes them in place, their identity tells that the slice is as it was. */
  readonly metadata: unknown;
  readonly resourceVersion: unknown;
  readonly endpoints: unknown;
  readonly ports: unknown;
  readonly owned: boolean;
  readonly labelsRight: boolean;
  readonly portsKey: string;
  /** How many of the endpoints are ready. */
  readonly ready: number;
  /** Whether any endpoint has hints. */
  readonly hinted: boolean;
  /** How many hints for each zone ready endpoints have; undefined where one of them has none. */
  readonly zones: ReadonlyMap<string, number> | undefined;
  /** Whether the hints are those of a mode, for modes that it was asked of. */
  readonly ownHints: Map<HintsMode, boolean>;
}

/** Reads a slice of some Service, once for as long as it stays as it is. */
export type ReadSlice = (slice: EndpointSliceInput) => Reading;

/** Makes a reader for a Service: its UID and labels are to stay what they are. */
export function createSliceReader(service: Service, profile: Profile): ReadSlice {
  const readings = new WeakMap<EndpointSliceInput, Reading>();
  return (slice) => {
    const known = readings.get(slice);
    if (known && isOf(known, slice)) return known;
    const reading = { ...identityOf(slice), ...ownershipOf(slice, service, profile), ...hintsOf(slice), ownHints: new Map() };
    readings.set(slice, reading);
    return reading;
  };
}

const isOf = (reading: Reading, { metadata, endpoints, ports }: EndpointSliceInput): boolean =>
  reading.metadata === metadata &&
  reading.resourceVersion === metadata?.resourceVersion &&
  reading.endpoints === endpoints &&
  reading.ports === ports;

const identityOf = ({
  metadata,
  endpoints,
  ports,
}: EndpointSliceInput): Pick<Reading, 'metadata' | 'resourceVersion' | 'endpoints' | 'ports'> => ({
  metadata,
  resourceVersion: metadata?.resourceVersion,
  endpoints,
  ports,
});

const ownershipOf = (
  slice: EndpointSliceInput,
  service: Service,
  profile: Profile,
): Pick<Reading, 'owned' | 'labelsRight' | 'portsKey'> => ({
  owned: isOwnedBy(slice, service),
  labelsRight: areSliceLabelsRight(slice, service),
  portsKey: slicePortsKey(slice.ports, profile),
});

/** Hints by zone are counted as getHintsByZone does (topologycache/utils.go). */
function hintsOf({ endpoints }: EndpointSliceInput): Pick<Reading, 'ready' | 'hinted' | 'zones'> {
  const zones = new Map<string, number>();
  let [ready, hinted, complete] = [0, false, true];
  for (const { conditions, hints } of endpoints ?? []) {
    if (hints) hinted = true;
    if (conditions?.ready !== true) continue;
    ready++;
    if (!hints?.forZones?.length) complete = false;
    for (const { name } of hints?.forZones ?? []) zones.set(name ?? '', (zones.get(name ?? '') ?? 0) + 1);
  }
  return { ready, hinted, zones: complete ? zones : undefined };
}
