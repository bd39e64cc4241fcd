import type { DnsRecord } from './answer.ts';

/** Formats a record as in a zone file, with fields separated by single spaces: "web.shop.svc.cluster.local. 5 IN A 10.0.0.1". */
export const formatRecord = (record: DnsRecord): string =>
  `${formatName(record.name)} ${record.ttl} IN ${record.type} ${formatData(record)}`;

function formatData(record: DnsRecord): string {
  switch (record.type) {
    case 'A':
    case 'AAAA':
      return record.address;
    case 'SRV':
      return `${record.priority} ${record.weight} ${record.port} ${formatName(record.target)}`;
    case 'TXT':
      return record.texts.map(quote).join(' ');
    case 'SOA':
      return `${formatName(record.mname)} ${formatName(record.rname)} ${listSoaNumbers(record).join(' ')}`;
    default:
      return formatName(record.target);
  }
}

const quote = (text: string): string => `"${text.replaceAll(/["\\]/g, '\\$&')}"`;

const listSoaNumbers = ({ serial, refresh, retry, expire, minimum }: Extract<DnsRecord, { type: 'SOA' }>): readonly number[] => [
  serial,
  refresh,
  retry,
  expire,
  minimum,
];

/**
 * Formats a name as in a zone file. If any character needs an escape, unnecessary escapes are removed as well. Queried names are looked up
 * in this form. Mirrors sprintName of miekg/dns 1.1.72.
 */
export function formatName(name: string): string {
  if (unescapedNamePattern.test(name)) return name;
  let isChanged = false;
  const completeName = name.replace(danglingBackslash, '');
  const printed = completeName.replaceAll(tokenPattern, (text, code: string | undefined, character: string | undefined) => {
    if (text === '.') return text;
    const octets = code === undefined ? encodeOctets(character ?? text) : [Number(code) & 0xff];
    const texts = octets.map(formatOctet);
    isChanged ||= texts.some((each) => each.length > 1);
    return texts.join('');
  });
  return isChanged ? printed : completeName;
}

const unescapedNamePattern = /^[!#-&*-:<-?A-[\]-~]*$/;

/** A trailing backslash that escapes nothing. */
const danglingBackslash = /(?<=(?:^|[^\\])(?:\\\\)*)\\$/;

const tokenPattern = /\\(\d{3})|\\(.)|./gsu;

function formatOctet(octet: number): string {
  const character = String.fromCharCode(octet);
  if (escapedCharacters.includes(character)) return `\\${character}`;
  return octet < 0x20 || octet > 0x7e ? `\\${String(octet).padStart(3, '0')}` : character;
}

const escapedCharacters = '. \'@;()"\\';

/** The octets of a character in UTF-8. */
const encodeOctets = (character: string): readonly number[] =>
  (encodeURIComponent(isUnpairedSurrogate(character) ? '\ufffd' : character).match(/%[\dA-F]{2}|./g) ?? []).map((text) =>
    text.length === 3 ? Number.parseInt(text.slice(1), 16) : text.charCodeAt(0),
  );

/** An unpaired surrogate, which UTF-8 cannot encode. */
const isUnpairedSurrogate = (character: string): boolean => character.length === 1 && character >= '\ud800' && character <= '\udfff';
