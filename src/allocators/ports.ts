import { newest } from '../versions/index.ts';
import type { RangeSnapshot } from './addresses/bitmap.ts';
import { createBitmap, type Draw } from './bitmap.ts';
import { type AllocatorVersion, allocatorSettings } from './gates.ts';
import { type AllocationResult, createPortNotInRange, type Refusal, refusals } from './refusals.ts';

export interface PortAllocatorOptions extends AllocatorVersion {
  /** Default: 30000-32767. */
  readonly range?: string;
  readonly draw: Draw;
}

/** A range of ports, each free or allocated. Node ports and health check node ports share it. */
export interface PortAllocator {
  readonly range: string;
  allocate(port: number): Refusal | undefined;
  allocateNext(): AllocationResult<number>;
  /** Frees a port; no effect if it is free or out of range. */
  release(port: number): void;
  has(port: number): boolean;
  free(): number;
  used(): number;
  /** The allocated ports, in ascending order. */
  forEach(visit: (port: number) => void): void;
  snapshot(): RangeSnapshot;
  restore(snapshot: RangeSnapshot): Refusal | undefined;
}

/**
 * Creates an allocator of node ports. Mirrors PortAllocator (pkg/registry/core/service/portallocator/allocator.go).
 * @throws RangeError if `range` is not a port range
 */
export function createPortAllocator({ range: text = defaultNodePorts, draw, version = newest }: PortAllocatorOptions): PortAllocator {
  const range = parsePortRange(text);
  const bandSize = allocatorSettings(version).staticBandOfNodePorts ? countStaticPorts(range) : 0;
  const bits = createBitmap({ size: range.size, bandSize, draw });
  const contains = (port: number): boolean => Number.isInteger(port) && port >= range.first && port - range.first < range.size;
  const allocate = (port: number): Refusal | undefined => {
    if (!contains(port)) return createPortNotInRange(range.text);
    return bits.allocate(port - range.first) ? undefined : refusals.portAllocated;
  };
  const allocateNext = (): AllocationResult<number> => {
    const offset = bits.allocateNext();
    return offset === undefined ? { refusal: refusals.full } : { value: range.first + offset };
  };
  return {
    range: range.text,
    allocate,
    allocateNext,
    release: (port) => {
      if (contains(port)) bits.release(port - range.first);
    },
    has: (port) => contains(port) && bits.has(port - range.first),
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

/** A range of ports, both ends included. */
export interface PortRange {
  readonly first: number;
  readonly size: number;
  /** "first-last"; empty for the empty range. */
  readonly text: string;
}

/** The default of --service-node-port-range. */
export const defaultNodePorts = '30000-32767';

/**
 * Parses "30000-32767", "30000+2767" or "30000"; an empty text is the empty range. Mirrors PortRange.Set
 * (k8s.io/apimachinery/pkg/util/net/port_range.go).
 * @throws RangeError with upstream's message
 */
export function parsePortRange(input: string): PortRange {
  const text = input.trim();
  if (text === '') return { first: 0, size: 0, text: '' };
  const hyphen = text.indexOf('-');
  const plus = text.indexOf('+');
  if (hyphen >= 0 && plus >= 0) throw new RangeError(`unable to parse port range: ${text}`);
  const separator = Math.max(hyphen, plus);
  const first = parseInteger(separator < 0 ? text : text.slice(0, separator));
  const second = separator < 0 ? first : parseInteger(text.slice(separator + 1));
  const last = plus >= 0 ? first + second : second;
  if (first > 65535 || last > 65535) throw new RangeError(`the port range cannot be greater than 65535: ${text}`);
  if (last < first) throw new RangeError(`end port cannot be less than start port: ${text}`);
  return { first, size: 1 + last - first, text: `${first}-${last}` };
}

/**
 * The number of ports at the start of the range that are reserved for explicit requests. Mirrors calculateRangeOffset
 * (pkg/registry/core/service/portallocator/allocator.go, 1.36): a 32nd of the range, at least 16 and at most 128; 0 for at most 16
 * ports.
 */
export const countStaticPorts = ({ size }: PortRange): number => (size <= 16 ? 0 : Math.min(128, Math.max(16, Math.floor(size / 32))));

function parseInteger(text: string): number {
  if (!/^[+-]?\d+$/.test(text)) throw new RangeError(`strconv.Atoi: parsing ${JSON.stringify(text)}: invalid syntax`);
  if (!Number.isSafeInteger(Number(text))) throw new RangeError(`strconv.Atoi: parsing ${JSON.stringify(text)}: value out of range`);
  return Number(text);
}

export interface OperationOptions {
  /** Allocates and frees nothing; allocateNext returns placeholders from 32769 on. */
  readonly dryRun?: boolean;
}

/**
 * A group of allocations and releases of ports. Allocations take effect immediately, releases on commit. If neither commit nor rollback
 * follows, a port may leak, but no port is allocated twice.
 */
export interface PortOperation {
  allocate(port: number): Refusal | undefined;
  allocateNext(): AllocationResult<number>;
  /** Frees the port on commit. */
  releaseDeferred(port: number): void;
  /** The ports allocated so far. */
  allocated(): readonly number[];
  /** The ports to free on commit. */
  released(): readonly number[];
  commit(): void;
  /** Frees the ports allocated so far; no effect after a commit or another rollback. */
  rollback(): void;
}

/** Mirrors PortAllocationOperation (pkg/registry/core/service/portallocator/operation.go; the same in 1.17 and 1.36). */
export function startPortOperation(ports: PortAllocator, { dryRun = false }: OperationOptions = {}): PortOperation {
  const allocatedPorts: number[] = [];
  const deferredReleases: number[] = [];
  let isOpen = true;
  const finish = (release: readonly number[]): void => {
    if (isOpen && !dryRun) for (const port of release) ports.release(port);
    isOpen = false;
  };
  const recordAllocated = <T extends number | undefined>(port: T): T => {
    if (port !== undefined) allocatedPorts.push(port);
    return port;
  };
  const allocate = (port: number): Refusal | undefined => {
    const refusal = dryRun ? checkFree(ports, allocatedPorts, port) : ports.allocate(port);
    if (!refusal) recordAllocated(port);
    return refusal;
  };
  const allocateNext = (): AllocationResult<number> => {
    const result: AllocationResult<number> = dryRun ? { value: choosePlaceholder(ports, allocatedPorts) } : ports.allocateNext();
    recordAllocated(result.value);
    return result;
  };
  return {
    allocate,
    allocateNext,
    releaseDeferred: (port) => {
      deferredReleases.push(port);
    },
    allocated: () => [...allocatedPorts],
    released: () => [...deferredReleases],
    commit: () => finish(deferredReleases),
    rollback: () => finish(allocatedPorts),
  };
}

/** Returns a refusal if a port is allocated. A dry run does not check the range. */
const checkFree = (ports: PortAllocator, allocatedPorts: readonly number[], port: number): Refusal | undefined =>
  ports.has(port) || allocatedPorts.includes(port) ? refusals.portAllocated : undefined;

/**
 * Returns the port after the highest one allocated in this operation, at first 32769. Below 100, returns the next free port instead, as
 * upstream.
 */
function choosePlaceholder(ports: PortAllocator, allocatedPorts: readonly number[]): number {
  const next = (allocatedPorts.length === 0 ? 32768 : Math.max(...allocatedPorts)) + 1;
  for (let port = next; port < 100; port++) if (!checkFree(ports, allocatedPorts, port)) return port;
  return next;
}
