/** A range of ports, both ends given. */
export interface PortRange {
  readonly first: number;
  readonly size: number;
  /** "first-last", or nothing for the empty range. */
  readonly text: string;
}

/** What an API server takes without --service-node-port-range. */
export const defaultNodePorts = '30000-32767';

/**
 * Reads "30000-32767", "30000+2767" or "30000"; an empty text is the empty range. Mirrors PortRange.Set
 * (k8s.io/apimachinery/pkg/util/net/port_range.go).
 * @throws RangeError worded as the original
 */
export function parsePortRange(given: string): PortRange {
  const text = given.trim();
  if (text === '') return { first: 0, size: 0, text: '' };
  const hyphen = text.indexOf('-');
  const plus = text.indexOf('+');
  if (hyphen >= 0 && plus >= 0) throw new RangeError(`unable to parse port range: ${text}`);
  const mark = Math.max(hyphen, plus);
  const first = readInteger(mark < 0 ? text : text.slice(0, mark));
  const second = mark < 0 ? first : readInteger(text.slice(mark + 1));
  const last = plus >= 0 ? first + second : second;
  if (first > 65535 || last > 65535) throw new RangeError(`the port range cannot be greater than 65535: ${text}`);
  if (last < first) throw new RangeError(`end port cannot be less than start port: ${text}`);
  return { first, size: 1 + last - first, text: `${first}-${last}` };
}

/**
 * How many of the first ports are for explicit requests. Mirrors calculateRangeOffset
 * (pkg/registry/core/service/portallocator/allocator.go, 1.36): a 32nd of the range, at least 16 and at most 128; none in a
 * range of 16 or fewer.
 */
export const staticPorts = ({ size }: PortRange): number => (size <= 16 ? 0 : Math.min(128, Math.max(16, Math.floor(size / 32))));

function readInteger(text: string): number {
  if (!/^[+-]?\d+$/.test(text)) throw new RangeError(`strconv.Atoi: parsing ${JSON.stringify(text)}: invalid syntax`);
  if (!Number.isSafeInteger(Number(text))) throw new RangeError(`strconv.Atoi: parsing ${JSON.stringify(text)}: value out of range`);
  return Number(text);
}
