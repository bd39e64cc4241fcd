/** Encodes an IPv4 address as 4 bytes, or an IPv6 address as 16 bytes. @throws RangeError if the text is not such an address */
export function encodeAddress(text: string, length: 4 | 16): readonly number[] {
  const bytes = length === 4 ? parseIPv4(text) : parseIPv6(text);
  if (bytes?.length === length) return bytes;
  throw new RangeError(`${JSON.stringify(text)} is not an IPv${length === 4 ? 4 : 6} address`);
}

/** Parses digit by digit for speed, because most answers contain IPv4 addresses. */
function parseIPv4(text: string): number[] | undefined {
  const bytes: number[] = [];
  let octet = -1;
  for (let i = 0; i <= text.length; i++) {
    const code = i === text.length ? dotCode : text.charCodeAt(i);
    if (code === dotCode) {
      if (octet < 0) return undefined;
      bytes.push(octet);
      octet = -1;
    } else {
      if (code < zeroCode || code > nineCode) return undefined;
      octet = Math.max(octet, 0) * 10 + code - zeroCode;
      if (octet > 255) return undefined;
    }
  }
  return bytes;
}

const dotCode = 0x2e;
const zeroCode = 0x30;
const nineCode = 0x39;

function parseIPv6(text: string): number[] | undefined {
  const [head = '', tail, ...others] = text.split('::');
  if (others.length > 0) return undefined;
  const headBytes = parseGroups(head, tail === undefined);
  const tailBytes = tail === undefined ? [] : parseGroups(tail, true);
  if (!headBytes || !tailBytes) return undefined;
  if (tail === undefined) return headBytes;
  const missingBytes = 16 - headBytes.length - tailBytes.length;
  return missingBytes >= 2 ? [...headBytes, ...new Array<number>(missingBytes).fill(0), ...tailBytes] : undefined;
}

/** The last group may be an IPv4 address. */
function parseGroups(text: string, isLast: boolean): number[] | undefined {
  if (text === '') return [];
  const bytes: number[] = [];
  const parts = text.split(':');
  for (const [i, part] of parts.entries()) {
    const ipv4Bytes = isLast && part.includes('.') && i === parts.length - 1 ? parseIPv4(part) : undefined;
    if (ipv4Bytes?.length === 4) bytes.push(...ipv4Bytes);
    else if (/^[\da-f]{1,4}$/i.test(part)) bytes.push(Number.parseInt(part, 16) >> 8, Number.parseInt(part, 16) & 255);
    else return undefined;
  }
  return bytes;
}
