import { countStaticAddresses } from '../../../src/allocators/addresses/allocator.ts';
import { createIPBitmap, createIPObjects, createPortAllocator } from '../../../src/allocators/index.ts';
import { countStaticPorts, parsePortRange } from '../../../src/allocators/ports.ts';
import type { AllocationResult } from '../../../src/allocators/refusals.ts';
import { parseCIDR, parseIP } from '../../../src/apimachinery/index.ts';

export interface AllocatorCase {
  readonly id: string;
  readonly kind: 'ip' | 'ipaddress' | 'port';
  readonly range: string;
  readonly ops: readonly { readonly op: string; readonly value?: string; readonly count?: number }[];
}

export interface AllocatorAnswer {
  readonly id: string;
  readonly error?: string;
  readonly results?: readonly Result[];
}

interface Result {
  readonly op: string;
  readonly error?: string;
  readonly has?: boolean;
  readonly n?: number;
  readonly list?: readonly string[];
  readonly value?: string;
  readonly inRange?: boolean;
  readonly wasFree?: boolean;
  readonly band?: string;
  readonly given?: number;
  readonly bands?: readonly string[];
  readonly values?: readonly string[];
}

/** Any of the allocators, with values as texts. */
interface Pool {
  allocate(value: string): string | undefined;
  /** The message of a refusal. */
  release(value: string): string | undefined;
  next(): AllocationResult<string>;
  has(value: string): boolean;
  free(): number;
  used(): number;
  forEach(visit: (value: string) => void): void;
  /** The 0-based offset of a value in the range. */
  offsetOf(value: string): bigint;
  readonly size: bigint;
  readonly band: bigint;
  /** Whether the allocator draws an offset in each band even if all are taken, as the object-based one does. */
  readonly drawsWhenFull?: boolean;
}

/**
 * Replays a case with the library, which draws the numbers that lead to the recorded choices. An operation fails if the library draws more
 * or fewer numbers than the recorded result implies, or below a different bound.
 */
export function replay({ id, kind, range, ops }: AllocatorCase, version: string, recorded: AllocatorAnswer): AllocatorAnswer {
  const draws: number[] = [];
  const draw = (bound: number): number => {
    const next = draws.shift();
    if (next === undefined) throw new Error('a number is drawn that the answer does not depend on');
    if (!(next < bound && bound <= 2 ** 32)) throw new Error(`${next} is drawn below ${bound}`);
    return next;
  };
  try {
    const pool = kind === 'port' ? openPorts(range, version, draw) : openAddresses(kind, range, version, draw);
    const answers = ops.map(({ op, value = '' }, i) => {
      const setDraws = (to?: string): void => {
        draws.push(...(to === undefined ? drawsIfFull(pool) : drawsForOffset(pool, pool.offsetOf(to))));
      };
      const answer = { op, ...operations[op]?.(pool, value, recorded.results?.[i] ?? { op }, setDraws) };
      if (draws.length > 0) throw new Error(`${op} leaves ${draws.length} numbers undrawn`);
      return answer;
    });
    return { id, results: answers };
  } catch (error) {
    return { id, error: (error as Error).message };
  }
}

type Operation = (pool: Pool, value: string, recorded: Result, setDraws: (to?: string) => void) => Partial<Result>;

const operations: Readonly<Record<string, Operation>> = {
  allocate: (pool, value) => omitUndefined({ error: pool.allocate(value) }),
  release: (pool, value) => omitUndefined({ error: pool.release(value) }),
  has: (pool, value) => ({ has: pool.has(value) }),
  free: (pool) => ({ n: pool.free() }),
  used: (pool) => ({ n: pool.used() }),
  list: (pool) => {
    const list: string[] = [];
    pool.forEach((value) => {
      list.push(value);
    });
    return list.length > 0 ? { list } : {};
  },
  allocateNext: (pool, _, recorded, setDraws) => {
    setDraws(recorded.value);
    const wasFree = !pool.has(recorded.value ?? '');
    const { value, refusal } = pool.next();
    if (refusal) return { error: refusal.message };
    return { value, inRange: isInRange(pool, value), wasFree, ...omitUndefined({ band: bandOf(pool, value) }) };
  },
  fill: (pool, _, recorded, setDraws) => {
    const values: string[] = [];
    let error: string | undefined;
    for (const expectedValue of recorded.values ?? []) {
      setDraws(expectedValue);
      const { value, refusal } = pool.next();
      if (refusal) error = refusal.message;
      else values.push(value);
    }
    if (recorded.error !== undefined) {
      setDraws();
      error = pool.next().refusal?.message;
    }
    const bands = toRunLengths(values.map((value) => bandOf(pool, value)));
    return { ...omitUndefined({ error }), given: values.length, ...(values.length > 0 ? { bands, values } : {}) };
  },
};

function openPorts(text: string, version: string, draw: (bound: number) => number): Pool {
  const ports = createPortAllocator({ range: text, version, draw });
  const { first, size } = parsePortRange(text);
  const number = (value: string): number => (/^-?\d+$/.test(value) ? Number(value) : 0);
  return {
    allocate: (value) => ports.allocate(number(value))?.message,
    // Releasing a port cannot fail: upstream's Release returns nil, too.
    release: (value) => {
      ports.release(number(value));
      return undefined;
    },
    next: () => {
      const { value, refusal } = ports.allocateNext();
      return refusal ? { refusal } : { value: String(value) };
    },
    has: (value) => ports.has(number(value)),
    free: ports.free,
    used: ports.used,
    forEach: (visit) =>
      ports.forEach((port) => {
        visit(String(port));
      }),
    offsetOf: (value) => BigInt(number(value) - first),
    size: BigInt(size),
    band: hasBands(version) ? BigInt(countStaticPorts(parsePortRange(text))) : 0n,
  };
}

function openAddresses(kind: 'ip' | 'ipaddress', text: string, version: string, draw: (bound: number) => number): Pool {
  const addresses = kind === 'ip' ? createIPBitmap({ cidr: text, version, draw }) : createIPObjects({ cidr: text, draw });
  const cidr = parseCIDR(text);
  return {
    allocate: (value) => addresses.allocate(value)?.message,
    release: (value) => addresses.release(value)?.message,
    next: addresses.allocateNext,
    has: addresses.has,
    free: addresses.free,
    used: addresses.used,
    forEach: addresses.forEach,
    offsetOf: (value) => (parseIP(value)?.value ?? 0n) - cidr.base - 1n,
    size: 'size' in addresses ? addresses.size : BigInt(addresses.free()),
    band: hasBands(version) ? BigInt(countStaticAddresses(cidr)) : 0n,
    drawsWhenFull: kind === 'ipaddress',
  };
}

/** Only the newer of the two releases divides ranges into a static and a dynamic band. */
const hasBands = (version: string): boolean => version !== '1.17.4';

const isInRange = ({ offsetOf, size }: Pool, value: string): boolean => offsetOf(value) >= 0n && offsetOf(value) < size;

function bandOf({ offsetOf, band }: Pool, value: string): string | undefined {
  if (band === 0n) return undefined;
  return offsetOf(value) < band ? 'static' : 'dynamic';
}

/** The draws for an offset: the offset if it is in the upper band; otherwise any number in the upper band, then the offset in the lower band. */
function drawsForOffset({ size, band }: Pool, offset: bigint): number[] {
  return offset >= band ? asDraws(offset - band, size - band) : [...asDraws(0n, size - band), ...asDraws(offset, band)];
}

/** The draws before the allocator detects that the range is full. */
function drawsIfFull({ size, band, drawsWhenFull }: Pool): number[] {
  const lengths = drawsWhenFull ? [size - band, band] : [];
  return lengths.filter((length) => length > 0n).flatMap((length) => asDraws(0n, length));
}

const asDraws = (value: bigint, bound: bigint): number[] =>
  bound <= 1n << 32n ? [Number(value)] : [Number(value >> 32n), Number(value & 0xffffffffn)];

/** Counts equal neighbors, for example "dynamic*238". */
function toRunLengths(bands: readonly (string | undefined)[]): string[] {
  const lengths: { band: string; length: number }[] = [];
  for (const band of bands.map((each) => each ?? '')) {
    const last = lengths.at(-1);
    if (last?.band === band) last.length += 1;
    else lengths.push({ band, length: 1 });
  }
  return lengths.map(({ band, length }) => `${band}*${length}`);
}

const omitUndefined = (fields: Partial<Record<keyof Result, string | undefined>>): Partial<Result> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
