import { newest } from '../../versions/index.ts';
import type { RangeSnapshot } from '../addresses/bitmap.ts';
import { createBitmap } from '../bitmap/bitmap.ts';
import type { Draw } from '../draw.ts';
import { type AllocatorVersion, allocatorSettings } from '../gates.ts';
import { type Given, portNotInRange, type Refusal, refusals } from '../refusals.ts';
import { defaultNodePorts, parsePortRange, staticPorts } from './range.ts';

export interface PortAllocatorOptions extends AllocatorVersion {
  /** By default 30000-32767. */
  readonly range?: string;
  readonly draw: Draw;
}

/** Ports, each free or taken: node ports and health check node ports are of one range. */
export interface PortAllocator {
  readonly range: string;
  allocate(port: number): Refusal | undefined;
  allocateNext(): Given<number>;
  /** A port that is free or outside stays as it is. */
  release(port: number): void;
  has(port: number): boolean;
  free(): number;
  used(): number;
  /** The ports taken, in ascending order. */
  forEach(visit: (port: number) => void): void;
  snapshot(): RangeSnapshot;
  restore(snapshot: RangeSnapshot): Refusal | undefined;
}

/**
 * Mirrors PortAllocator (pkg/registry/core/service/portallocator/allocator.go).
 * @throws RangeError for a text that is no range of ports
 */
export function createPortAllocator({ range: text = defaultNodePorts, draw, version = newest }: PortAllocatorOptions): PortAllocator {
  const range = parsePortRange(text);
  const band = allocatorSettings(version).staticBandOfNodePorts ? staticPorts(range) : 0;
  const bits = createBitmap({ size: range.size, band, draw });
  const holds = (port: number): boolean => Number.isInteger(port) && port >= range.first && port - range.first < range.size;
  const allocate = (port: number): Refusal | undefined => {
    if (!holds(port)) return portNotInRange(range.text);
    return bits.allocate(port - range.first) ? undefined : refusals.portAllocated;
  };
  const allocateNext = (): Given<number> => {
    const offset = bits.allocateNext();
    return offset === undefined ? { refusal: refusals.full } : { value: range.first + offset };
  };
  return {
    range: range.text,
    allocate,
    allocateNext,
    release: (port) => {
      if (holds(port)) bits.release(port - range.first);
    },
    has: (port) => holds(port) && bits.has(port - range.first),
    free: bits.free,
    used: bits.used,
    forEach: (visit) =>
      bits.forEach((offset) => {
        visit(range.first + offset);
      }),
    snapshot: () => ({ range: range.text, data: bits.snapshot() }),
    restore: (snapshot) => {
      if (snapshot.range !== range.text) return refusals.mismatchedPorts;
      bits.restore(snapshot.data);
      return undefined;
    },
  };
}
