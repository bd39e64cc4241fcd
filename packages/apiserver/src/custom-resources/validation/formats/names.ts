import { isIPv6 } from 'node:net';

/** A host name as RFC 1123 has it, but for letters and symbols of all languages. */
export function isHostname(text: string): boolean {
  if (Buffer.byteLength(text) > 255) return false;
  const labels = text.split('.');
  if (labels.some((label) => Buffer.byteLength(label) > 63)) return false;
  if (labels.length === 1) return /^[a-zA-Z0-9\p{S}\p{L}](?:-?[a-zA-Z0-9\p{S}\p{L}]{0,62})$/u.test(text);
  const last = labels.at(-1) as string;
  return /^[a-zA-Z\p{L}]{2,63}$/u.test(last) && labels.slice(0, -1).every((label) => isLabel(label));
}

const isLabel = (label: string): boolean => /^[a-zA-Z0-9\p{S}\p{L}](?:[a-zA-Z0-9\-\p{S}\p{L}]{0,61}[a-zA-Z0-9\p{S}\p{L}])?$/u.test(label);

/** An address of RFC 5322, with or without a name before it. */
export function isEmail(text: string): boolean {
  if (text.length > 4096) return false;
  const named = /^[^<>]*<([^<>]*)>\s*$/s.exec(text);
  const address = named ? (named[1] as string) : text.trim();
  if (named && !isDisplayName((/^[^<]*/.exec(text)?.[0] ?? '').trim())) return false;
  const at = address.lastIndexOf('@');
  return at > 0 && isLocalPart(address.slice(0, at)) && isDomain(address.slice(at + 1));
}

const atom = "[\\w!#$%&'*+/=?^`{|}~\\-\\u0080-\\u{10ffff}]+";
const dotAtom = new RegExp(`^${atom}(?:\\.${atom})*$`, 'u');
const words = /^[\w!#$%&'*+/=?^`{|}~\-\s.\u0080-\u{10ffff}]*$/u;
const quoted = /^"(?:[^"\\\r\n]|\\.)*"$/s;

const isDisplayName = (name: string): boolean => words.test(name) || quoted.test(name);
const isLocalPart = (part: string): boolean => dotAtom.test(part) || quoted.test(part);
const isDomain = (domain: string): boolean => dotAtom.test(domain) || /^\[[^[\]\\]+\]$/.test(domain);

/** An absolute URI or path. Mirrors Go's url.ParseRequestURI. */
export function isRequestUri(text: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
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
  const at = authority.lastIndexOf('@');
  if (at >= 0 && !/^[A-Za-z0-9\-._:~!$&'()*+,;=%@]*$/.test(authority.slice(0, at))) return false;
  const host = authority.slice(at + 1);
  const bracketed = /^\[([^\]]*)\](.*)$/s.exec(host);
  const port = bracketed ? (bracketed[2] as string) : (/:[^:]*$/.exec(host)?.[0] ?? '');
  if (!/^(?::\d*)?$/.test(port)) return false;
  if (bracketed) return isIPv6((bracketed[1] as string).replace(/%25.*$/s, ''));
  return !/[ "<>\\^`{|}[\]]/.test(host) && !/%(?![0-9a-fA-F]{2})/.test(host);
}
