import { strictIP } from '../apimachinery/index.ts';

/** Names in zone file format: labels separated by dots, "\." for a dot in a label, "\000" for any octet. */

/** Lowers ASCII letters only, as in DNS; the length stays the same. */
export const toLowerAscii = (name: string): string =>
  /[A-Z]/.test(name) ? name.replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase()) : name;

/** Whether a name equals a zone or is below it; both absolute, in lower case. Mirrors dns.IsSubDomain of miekg/dns. */
export function isAtOrBelow(name: string, zone: string): boolean {
  if (zone === '.') return true;
  if (!name.endsWith(zone)) return false;
  const dotIndex = name.length - zone.length - 1;
  return dotIndex < 0 || (name[dotIndex] === '.' && !isEscaped(name, dotIndex));
}

/** The part of a name before the zone, without the dot that separates them; empty for the zone itself. */
export const relativeName = (name: string, zone: string): string =>
  zone === '.' ? name.slice(0, -1) : name.slice(0, Math.max(0, name.length - zone.length - 1));

/** The labels of a name without its final dot; an empty list for the empty name. */
export function splitLabels(name: string): string[] {
  if (name === '') return [];
  if (!name.includes('\\')) return name.split('.');
  const labels: string[] = [];
  let start = 0;
  for (let i = 0; i < name.length; i++) {
    if (name[i] === '\\') i++;
    else if (name[i] === '.') {
      labels.push(name.slice(start, i));
      start = i + 1;
    }
  }
  return [...labels, name.slice(start)];
}

/** Returns the problem of an absolute name; undefined if it is valid. */
export function problemOfName(name: string): string | undefined {
  if (name === '.') return undefined;
  // Fast path for the usual case: ASCII without escapes.
  if (plainName.test(name)) return name.length <= maxNameOctets - 1 ? undefined : nameTooLong;
  let octets = 1;
  for (const label of splitLabels(name.slice(0, -1))) {
    const length = countOctets(label);
    if (length === 0) return 'it has an empty label';
    if (length > maxLabelOctets) return `it has a label of more than ${maxLabelOctets} octets`;
    octets += length + 1;
  }
  return octets > maxNameOctets ? nameTooLong : undefined;
}

const maxLabelOctets = 63;
const maxNameOctets = 255;
const nameTooLong = `it is longer than ${maxNameOctets} octets`;

const plainName = /^(?:[!-\-/-[\]-~]{1,63}\.)+$/;

function isEscaped(text: string, index: number): boolean {
  let escapes = 0;
  for (let i = index - 1; i >= 0 && text[i] === '\\'; i--) escapes++;
  return escapes % 2 === 1;
}

/** Octets of a label: an escape counts as one, other characters by their UTF-8 length. */
function countOctets(label: string): number {
  let octets = 0;
  for (let i = 0; i < label.length; i++) {
    const code = label.charCodeAt(i);
    if (code === 0x5c) {
      i += /^\d{3}/.test(label.slice(i + 1, i + 4)) ? 3 : 1;
      octets++;
    } else octets += code < 0x80 ? 1 : code < 0x800 || isSurrogate(code) ? 2 : 3;
  }
  return octets;
}

const isSurrogate = (code: number): boolean => code >= 0xd800 && code <= 0xdfff;

/** An address or name that records lead to. */
export interface Host {
  /** As the object spells it. */
  readonly text: string;
  readonly type: 'A' | 'AAAA' | 'CNAME';
  /** As a record shows it: the address as Go prints it, or the name with its final dot. */
  readonly data: string;
}

/** Mirrors Service.HostType (CoreDNS 1.14, plugin/etcd/msg/type.go): text that is not an address is a name. */
export function parseHost(text: string): Host {
  const address = strictIP(text);
  if (address === undefined) return { text, type: 'CNAME', data: toFqdn(text) };
  return { text, type: address.includes(':') ? 'AAAA' : 'A', data: address };
}

/** The name with its final dot. Mirrors dns.Fqdn of miekg/dns: an escaped dot does not count. */
export const toFqdn = (name: string): string => (isFqdn(name) ? name : `${name}.`);

function isFqdn(name: string): boolean {
  if (!name.endsWith('.')) return false;
  let escapes = 0;
  for (let i = name.length - 2; i >= 0 && name[i] === '\\'; i--) escapes++;
  return escapes % 2 === 0;
}
