import { isIPv6 as isNodeIPv6 } from 'node:net';

/** Four numbers; zeros in front do not count, as Go's older parser had it. */
const isDottedQuad = (text: string): boolean => /^\d+(?:\.\d+){3}$/.test(text) && text.split('.').every((part) => Number(part) <= 255);

/** Go's ParseIP knows no zones. */
const isColonForm = (text: string): boolean => {
  const quad = /^(.*:)(\d+(?:\.\d+){3})$/.exec(text);
  const plain = quad && isDottedQuad(quad[2] as string) ? `${quad[1]}${(quad[2] as string).split('.').map(Number).join('.')}` : text;
  return !text.includes('%') && isNodeIPv6(plain);
};

/** An address with a dot in it: mapped ones count. */
export const isIPv4 = (text: string): boolean => isDottedQuad(text) || (text.includes('.') && isColonForm(text));

export const isIPv6 = (text: string): boolean => !text.includes('%') && isNodeIPv6(text);

export function isCidr(text: string): boolean {
  const [, address = '', length = ''] = /^(.*)\/(\d{1,3})$/s.exec(text) ?? [];
  if (isDottedQuad(address)) return length !== '' && Number(length) <= 32;
  return isColonForm(address) && length !== '' && Number(length) <= 128;
}

/** 6, 8 or 20 bytes, as Go's ParseMAC takes them. */
export function isMac(text: string): boolean {
  const bytes = /^[0-9a-fA-F]{2}(?:([:-])[0-9a-fA-F]{2}(?:\1[0-9a-fA-F]{2})*)$/.test(text) ? (text.length + 1) / 3 : undefined;
  const dotted = /^[0-9a-fA-F]{4}(?:\.[0-9a-fA-F]{4})+$/.test(text) ? ((text.length + 1) / 5) * 2 : undefined;
  const plain = /^[0-9a-fA-F]{12,40}$/.test(text) ? text.length / 2 : undefined;
  return [6, 8, 20].includes(bytes ?? dotted ?? plain ?? 0);
}
