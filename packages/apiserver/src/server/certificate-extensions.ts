import { createHash } from 'node:crypto';
import { isIP } from 'node:net';
import { bitString, type Der, implicit, isTrue, objectIdentifier, octetString, sequence } from './der.ts';

export interface ExtensionSubject {
  /** As in certificates: SubjectPublicKeyInfo. */
  readonly publicKey: Der;
  readonly issuerPublicKey: Der;
  /** Of a server; a certificate authority has none. */
  readonly names?: readonly string[];
}

/** What a key may be used for, and for whom: RFC 5280, section 4.2, as far as TLS clients look. */
export function extensionsOf({ publicKey, issuerPublicKey, names }: ExtensionSubject): readonly Der[] {
  const identifiers = [
    extension(ids.subjectKeyIdentifier, octetString(keyIdentifier(publicKey))),
    extension(ids.authorityKeyIdentifier, sequence(implicit(0, keyIdentifier(issuerPublicKey)))),
  ];
  // Key usage is a row of bits from the left: digitalSignature is the first, keyCertSign the sixth.
  if (!names) {
    return [
      extension(ids.basicConstraints, sequence(isTrue()), { critical: true }),
      extension(ids.keyUsage, bitString(Uint8Array.of(0b1000_0100), 2), { critical: true }),
      ...identifiers,
    ];
  }
  return [
    extension(ids.basicConstraints, sequence(), { critical: true }),
    extension(ids.keyUsage, bitString(Uint8Array.of(0b1000_0000), 7), { critical: true }),
    extension(ids.extendedKeyUsage, sequence(objectIdentifier(ids.serverAuth))),
    ...identifiers,
    extension(ids.subjectAltName, sequence(...names.map(generalName))),
  ];
}

const extension = (id: string, value: Der, { critical = false } = {}): Der =>
  sequence(objectIdentifier(id), ...(critical ? [isTrue()] : []), octetString(value));

const generalName = (name: string): Der => (isIP(name) ? implicit(7, addressBytes(name)) : implicit(2, Buffer.from(name, 'latin1')));

/** The hash over the bits of the key alone, which are the last of its structure: 65 for a point of P-256. */
const keyIdentifier = (spki: Der): Uint8Array => createHash('sha1').update(spki.subarray(-65)).digest();

/** 4 bytes, or 16. */
function addressBytes(address: string): Uint8Array {
  if (isIP(address) === 4) return Uint8Array.from(address.split('.').map(Number));
  // A URL's host is written in the canonical way: without a zone, a dotted quad, or more zeros than needed.
  const canonical = new URL(`http://[${address.split('%', 1)[0]}]`).hostname.slice(1, -1);
  const [front = [], back = []] = canonical.split('::').map((half) => half.split(':').filter((group) => group !== ''));
  const zeros = Array<string>(8 - front.length - back.length).fill('0');
  return Buffer.from([...front, ...zeros, ...back].map((group) => group.padStart(4, '0')).join(''), 'hex');
}

const ids = {
  subjectKeyIdentifier: '2.5.29.14',
  keyUsage: '2.5.29.15',
  subjectAltName: '2.5.29.17',
  basicConstraints: '2.5.29.19',
  authorityKeyIdentifier: '2.5.29.35',
  extendedKeyUsage: '2.5.29.37',
  serverAuth: '1.3.6.1.5.5.7.3.1',
} as const;
