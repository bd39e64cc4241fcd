/** Formats the code of a record type as its name, such as "A" or "SRV"; "TYPE64" if the code is not in the table. */
export const formatRecordType = (code: number): string => namesByCode.get(code) ?? `TYPE${code}`;

/** Parses the name of a record type to its code; undefined if the name is invalid. */
export function parseRecordType(name: string): number | undefined {
  const knownCode = codesByName.get(name);
  if (knownCode !== undefined) return knownCode;
  const code = /^TYPE\d{1,5}$/.test(name) ? Number(name.slice('TYPE'.length)) : undefined;
  return code !== undefined && code <= 0xffff ? code : undefined;
}

/** Whether a type is in the table; false for names such as "TYPE64". */
export const isNamedType = (name: string): boolean => codesByName.has(name);

const recordTypes: readonly (readonly [string, number])[] = [
  ['A', 1],
  ['NS', 2],
  ['CNAME', 5],
  ['SOA', 6],
  ['PTR', 12],
  ['HINFO', 13],
  ['MX', 15],
  ['TXT', 16],
  ['AAAA', 28],
  ['SRV', 33],
  ['NAPTR', 35],
  ['OPT', 41],
  ['DS', 43],
  ['RRSIG', 46],
  ['NSEC', 47],
  ['DNSKEY', 48],
  ['SVCB', 64],
  ['HTTPS', 65],
  ['IXFR', 251],
  ['AXFR', 252],
  ['ANY', 255],
  ['CAA', 257],
];
const codesByName: ReadonlyMap<string, number> = new Map(recordTypes);
const namesByCode: ReadonlyMap<number, string> = new Map(recordTypes.map(([name, code]) => [code, name]));
