import { isIP } from 'node:net';

/** Where a DNS server listens. */
export interface ServerAddress {
  readonly address: string;
  readonly port: number;
}

/**
 * Reads the address of a DNS server, whose port is 53 where none is told: "10.0.0.1", "10.0.0.1:5353", "fd00::1", "[fd00::1]:5353".
 * @throws RangeError where it is none
 */
export function readServer(text: string): ServerAddress {
  const parts = isIP(text) === 6 ? [text, text] : /^(?:\[([^\]]+)\]|([^:[\]]+))(?::(\d{1,5}))?$/.exec(text);
  const address = parts?.[1] ?? parts?.[2] ?? '';
  const port = Number(parts?.[3] ?? 53);
  const isBracketed = text.startsWith('[');
  if (isIP(address) !== (isBracketed || text.split(':').length > 2 ? 6 : 4) || port < 1 || port > 65_535) {
    throw new RangeError(
      `${JSON.stringify(text)} is no address of a DNS server: give such as "10.0.0.1", "10.0.0.1:5353" or "[fd00::1]:5353"`,
    );
  }
  return { address, port };
}
