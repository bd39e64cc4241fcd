import { strictIP } from '../apimachinery/index.ts';

/** An address or a name that records lead to. */
export interface Host {
  /** As the object has it. */
  readonly text: string;
  readonly type: 'A' | 'AAAA' | 'CNAME';
  /** As a record has it: the address as Go prints it, or the name with its final dot. */
  readonly data: string;
}

/** Mirrors Service.HostType (CoreDNS 1.14, plugin/etcd/msg/type.go): what is no address is a name. */
export function hostOf(text: string): Host {
  const address = strictIP(text);
  if (address === undefined) return { text, type: 'CNAME', data: absolute(text) };
  return { text, type: address.includes(':') ? 'AAAA' : 'A', data: address };
}

/** The name with its final dot. Mirrors dns.Fqdn of miekg/dns: an escaped dot is none. */
export const absolute = (name: string): string => (endsInDot(name) ? name : `${name}.`);

function endsInDot(name: string): boolean {
  if (!name.endsWith('.')) return false;
  let escapes = 0;
  for (let i = name.length - 2; i >= 0 && name[i] === '\\'; i--) escapes++;
  return escapes % 2 === 0;
}
