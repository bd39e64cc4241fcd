import { dns1123Label, dns1123Subdomain } from '../../../resources/field/formats.ts';
import type { Schema } from '../../schema/schema.ts';
import { isEmail, isHostname, isRequestUri } from './names.ts';
import { isCidr, isIPv4, isIPv6, isMac } from './network.ts';
import { isCreditCard, isIsbn10, isIsbn13 } from './numbers.ts';
import { isDate, isDateTime, isDuration } from './times.ts';

type Format = (text: string) => boolean;

/** The formats of texts that Kubernetes 1.36 knows, by their names without hyphens. Mirrors kube-openapi/pkg/validation/strfmt. */
export const formats: ReadonlyMap<string, Format> = new Map<string, Format>([
  ['bsonobjectid', (text) => /^[0-9a-fA-F]{24}$/.test(text)],
  ['uri', isRequestUri],
  ['email', isEmail],
  ['hostname', isHostname],
  ['ipv4', isIPv4],
  ['ipv6', isIPv6],
  ['cidr', isCidr],
  ['mac', isMac],
  ['uuid', uuid('[0-9a-f]{4}', '[0-9a-f]{4}')],
  ['uuid3', uuid('3[0-9a-f]{3}', '[0-9a-f]{4}')],
  ['uuid4', uuid('4[0-9a-f]{3}', '[89ab][0-9a-f]{3}')],
  ['uuid5', uuid('5[0-9a-f]{3}', '[89ab][0-9a-f]{3}')],
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

/** The format that a schema asks for, empty where Kubernetes does not know it. Mirrors StripUnsupportedFormatsPostProcessorForVersion. */
export function formatOf({ format = '' }: Schema, types: readonly string[]): string {
  return format !== '' && isKnownFormat(format, types.length === 1 ? (types[0] as string) : '') ? format : '';
}

/** Whether a format is one of a type, which is empty where there is none or more than one. */
export function isKnownFormat(format: string, type: string): boolean {
  if (type === '' || type === 'string') return formats.has(format.replaceAll('-', ''));
  return Object.hasOwn(numeric, type) && numeric[type]?.includes(format) === true;
}

const numeric: Readonly<Record<string, readonly string[]>> = { integer: ['int32', 'int64'], number: ['float', 'double'] };

function uuid(third: string, fourth: string): Format {
  const expression = new RegExp(`^[0-9a-f]{8}-?[0-9a-f]{4}-?${third}-?${fourth}-?[0-9a-f]{12}$`, 'i');
  return (text) => expression.test(text);
}

function isRgb(text: string): boolean {
  const match = /^rgb\(([^,]*),([^,]*),([^,]*)\)$/.exec(text);
  return match?.slice(1).every((part) => /^(?:0|[1-9]\d{0,2})$/.test(part.trim()) && Number(part) <= 255) ?? false;
}
