import { canonicalIP, parseCIDRSloppy, strictIP } from 'kube-endpoints/internal/apimachinery';
import { dns1123Label, dns1123Subdomain } from './names.ts';
import { isDate, isDateTime, isDuration } from './times.ts';

type FormatCheck = (text: string) => boolean;

/** The checks for the string formats of Kubernetes 1.36, keyed by format name without hyphens. Mirrors kube-openapi/pkg/validation/strfmt. */
export const formats: ReadonlyMap<string, FormatCheck> = new Map<string, FormatCheck>([
  ['bsonobjectid', (text) => /^[0-9a-fA-F]{24}$/.test(text)],
  ['uri', isRequestUri],
  ['email', isEmail],
  ['hostname', isHostname],
  ['ipv4', isIPv4],
  ['ipv6', isIPv6],
  ['cidr', isCidr],
  ['mac', isMac],
  ['uuid', createUuidCheck('[0-9a-f]{4}', '[0-9a-f]{4}')],
  ['uuid3', createUuidCheck('3[0-9a-f]{3}', '[0-9a-f]{4}')],
  ['uuid4', createUuidCheck('4[0-9a-f]{3}', '[89ab][0-9a-f]{3}')],
  ['uuid5', createUuidCheck('5[0-9a-f]{3}', '[89ab][0-9a-f]{3}')],
  ['isbn', (text) => isIsbn10(text) || isIsbn13(text)],
  ['isbn10', isIsbn10],
  ['isbn13', isIsbn13],
  ['creditcard', isCreditCard],
  ['ssn', (text) => text.length === 11 && /^\d{3}[- ]?\d{2}[- ]?\d{4}$/.test(text)],
  ['hexcolor', (text) => /^#?(?:[0-9a-fA-F]{3}){1,2}$/.test(text)],
  ['rgbcolor', isRgb],
  ['byte', (text) => text !== '' && text.length % 4 === 0 && /^[A-Za-z0-9+/]+={0,2}$/.test(text)],
  ['password', () => true],
  ['date', isDate],
  ['duration', isDuration],
  ['datetime', isDateTime],
  ['k8sshortname', (text) => text.length <= 63 && dns1123Label(text).length === 0],
  ['k8slongname', (text) => text.length <= 253 && dns1123Subdomain(text).length === 0],
]);

/** Returns the format of a schema; empty if the schema has none or Kubernetes does not support it. Mirrors StripUnsupportedFormatsPostProcessorForVersion. */
export function formatOf({ format = '' }: { readonly format?: string }, types: readonly string[]): string {
  return format !== '' && isKnownFormat(format, types.length === 1 ? (types[0] as string) : '') ? format : '';
}

/** True if the type supports the format. `type` is empty for schemas without a type or with several. */
export function isKnownFormat(format: string, type: string): boolean {
  if (type === '' || type === 'string') return formats.has(format.replaceAll('-', ''));
  return Object.hasOwn(numericFormats, type) && numericFormats[type]?.includes(format) === true;
}

const numericFormats: Readonly<Record<string, readonly string[]>> = { integer: ['int32', 'int64'], number: ['float', 'double'] };

function createUuidCheck(third: string, fourth: string): FormatCheck {
  const expression = new RegExp(`^[0-9a-f]{8}-?[0-9a-f]{4}-?${third}-?${fourth}-?[0-9a-f]{12}$`, 'i');
  return (text) => expression.test(text);
}

function isRgb(text: string): boolean {
  const match = /^rgb\(([^,]*),([^,]*),([^,]*)\)$/.exec(text);
  return match?.slice(1).every((part) => /^(?:0|[1-9]\d{0,2})$/.test(part.trim()) && Number(part) <= 255) ?? false;
}

/** As upstream, requires only a dot in an IP address, so that IPv4-mapped IPv6 addresses are accepted. */
function isIPv4(text: string): boolean {
  return text.includes('.') && canonicalIP(text) !== undefined;
}

function isIPv6(text: string): boolean {
  return text.includes(':') && strictIP(text) !== undefined;
}

function isCidr(text: string): boolean {
  return parseCIDRSloppy(text) !== undefined;
}

/** True for an address of 6, 8 or 20 bytes in one of the notations of Go's ParseMAC. */
function isMac(text: string): boolean {
  const separatedLength = /^[0-9a-fA-F]{2}(?:([:-])[0-9a-fA-F]{2}(?:\1[0-9a-fA-F]{2})*)$/.test(text) ? (text.length + 1) / 3 : undefined;
  const dottedLength = /^[0-9a-fA-F]{4}(?:\.[0-9a-fA-F]{4})+$/.test(text) ? ((text.length + 1) / 5) * 2 : undefined;
  const plainLength = /^[0-9a-fA-F]{12,40}$/.test(text) ? text.length / 2 : undefined;
  return [6, 8, 20].includes(separatedLength ?? dottedLength ?? plainLength ?? 0);
}

const digitsOf = (text: string): number[] => [...text].map(Number);

function isIsbn10(text: string): boolean {
  const characters = text.replace(/[\s-]+/g, '');
  if (!/^\d{9}[\dX]$/.test(characters)) return false;
  const sum = digitsOf(characters.slice(0, 9)).reduce((total, digit, i) => total + (i + 1) * digit, 0);
  return (sum + 10 * (characters[9] === 'X' ? 10 : Number(characters[9]))) % 11 === 0;
}

function isIsbn13(text: string): boolean {
  const characters = text.replace(/[\s-]+/g, '');
  if (!/^\d{13}$/.test(characters)) return false;
  const sum = digitsOf(characters.slice(0, 12)).reduce((total, digit, i) => total + (i % 2 === 0 ? 1 : 3) * digit, 0);
  return Number(characters[12]) === (10 - (sum % 10)) % 10;
}

/** True for a number of a major issuer with a valid Luhn checksum. */
function isCreditCard(text: string): boolean {
  const digits = text.replace(/\D+/g, '');
  if (!issuerPatterns.some((each) => each.test(digits))) return false;
  const sum = digitsOf(digits)
    .reverse()
    .reduce((total, digit, i) => total + (i % 2 === 0 ? digit : Math.floor((digit * 2) / 10) + ((digit * 2) % 10)), 0);
  return sum % 10 === 0;
}

const issuerPatterns: readonly RegExp[] = [
  /^4\d{12}(?:\d{3})?$/,
  /^5[1-5]\d{14}$/,
  /^6(?:011|5\d\d)\d{12}$/,
  /^3[47]\d{13}$/,
  /^3(?:0[0-5]|[68]\d)\d{11}$/,
  /^(?:2131|1800|35\d{3})\d{11}$/,
];

/** True for a host name as in RFC 1123; also allows letters and symbols of any script. */
function isHostname(text: string): boolean {
  if (Buffer.byteLength(text) > 255) return false;
  const labels = text.split('.');
  if (labels.some((label) => Buffer.byteLength(label) > 63)) return false;
  if (labels.length === 1) return /^[a-zA-Z0-9\p{S}\p{L}](?:-?[a-zA-Z0-9\p{S}\p{L}]{0,62})$/u.test(text);
  const topLevelDomain = labels.at(-1) as string;
  return /^[a-zA-Z\p{L}]{2,63}$/u.test(topLevelDomain) && labels.slice(0, -1).every((label) => isHostnameLabel(label));
}

const isHostnameLabel = (label: string): boolean =>
  /^[a-zA-Z0-9\p{S}\p{L}](?:[a-zA-Z0-9\-\p{S}\p{L}]{0,61}[a-zA-Z0-9\p{S}\p{L}])?$/u.test(label);

/** True for an RFC 5322 address, with or without a display name. */
function isEmail(text: string): boolean {
  if (text.length > 4096) return false;
  const displayNameMatch = /^[^<>]*<([^<>]*)>\s*$/s.exec(text);
  const address = displayNameMatch ? (displayNameMatch[1] as string) : text.trim();
  if (displayNameMatch && !isDisplayName((/^[^<]*/.exec(text)?.[0] ?? '').trim())) return false;
  const atSign = address.lastIndexOf('@');
  return atSign > 0 && isLocalPart(address.slice(0, atSign)) && isDomain(address.slice(atSign + 1));
}

const atom = "[\\w!#$%&'*+/=?^`{|}~\\-\\u0080-\\u{10ffff}]+";
const dotAtom = new RegExp(`^${atom}(?:\\.${atom})*$`, 'u');
const unquotedName = /^[\w!#$%&'*+/=?^`{|}~\-\s.\u0080-\u{10ffff}]*$/u;
const quotedString = /^"(?:[^"\\\r\n]|\\.)*"$/s;

const isDisplayName = (name: string): boolean => unquotedName.test(name) || quotedString.test(name);
const isLocalPart = (localPart: string): boolean => dotAtom.test(localPart) || quotedString.test(localPart);
const isDomain = (domain: string): boolean => dotAtom.test(domain) || /^\[[^[\]\\]+\]$/.test(domain);

/** True for an absolute URI or path. Mirrors Go's url.ParseRequestURI. */
function isRequestUri(text: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the expression searches for control characters
  if (text === '' || /[\u0000-\u001f\u007f]/.test(text)) return false;
  if (text === '*') return true;
  const scheme = /^([a-zA-Z][a-zA-Z0-9+.-]*):/.exec(text)?.[0];
  const rest = text.slice(scheme?.length ?? 0).replace(/\?.*$/s, '');
  if (!rest.startsWith('/')) return scheme !== undefined;
  const authority = scheme === undefined || !rest.startsWith('//') ? undefined : (/^\/\/([^/]*)/.exec(rest)?.[1] ?? '');
  const path = authority === undefined ? rest : rest.slice(authority.length + 2);
  return !/%(?![0-9a-fA-F]{2})/.test(path) && (authority === undefined || isAuthority(authority));
}

function isAuthority(authority: string): boolean {
  const atSign = authority.lastIndexOf('@');
  if (atSign >= 0 && !/^[A-Za-z0-9\-._:~!$&'()*+,;=%@]*$/.test(authority.slice(0, atSign))) return false;
  const host = authority.slice(atSign + 1);
  const bracketedHost = /^\[([^\]]*)\](.*)$/s.exec(host);
  const port = bracketedHost ? (bracketedHost[2] as string) : (/:[^:]*$/.exec(host)?.[0] ?? '');
  if (!/^(?::\d*)?$/.test(port)) return false;
  if (bracketedHost) return isIPv6((bracketedHost[1] as string).replace(/%25.*$/s, ''));
  return !/[ "<>\\^`{|}[\]]/.test(host) && !/%(?![0-9a-fA-F]{2})/.test(host);
}
