import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { extensionsOf } from './certificate-extensions.ts';
import { bitString, type Der, explicit, integer, objectIdentifier, sequence, set, time, utf8String } from './der.ts';

/** What a TLS server needs, all in PEM. */
export interface ServingCertificate {
  readonly key: string;
  readonly cert: string;
  /** The certificate authority that clients are to trust. */
  readonly ca: string;
}

export interface CertificateOptions {
  /** DNS names and IP addresses under which the server is reached. */
  readonly names: readonly string[];
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** Where serial numbers come from. */
  readonly randomBytes: (size: number) => Uint8Array;
}

/**
 * A certificate authority of its own and a serving certificate from it, ECDSA P-256, both good for a year. The authority's key
 * is forgotten, so that nothing else will ever be signed with it.
 */
export function createServingCertificate(options: CertificateOptions): ServingCertificate {
  const authority = keyPair();
  const serving = keyPair();
  const issuer = { name: `kube-endpoints-ca-${Buffer.from(options.randomBytes(4)).toString('hex')}`, keys: authority };
  return {
    key: String(serving.privateKey.export({ type: 'pkcs8', format: 'pem' })),
    cert: certificate({ name: 'kube-apiserver', keys: serving, issuer, names: options.names }, options),
    ca: certificate({ ...issuer, issuer }, options),
  };
}

interface KeyPair {
  readonly privateKey: KeyObject;
  /** The public key as it stands in certificates: SubjectPublicKeyInfo. */
  readonly spki: Der;
}

interface Subject {
  readonly name: string;
  readonly keys: KeyPair;
  readonly issuer: { readonly name: string; readonly keys: KeyPair };
  /** Of a server; a certificate authority has none. */
  readonly names?: readonly string[];
}

/** `Certificate` of RFC 5280, section 4.1. */
function certificate({ name, keys, issuer, names }: Subject, { now, randomBytes }: CertificateOptions): string {
  const algorithm = sequence(objectIdentifier(ecdsaWithSha256));
  const body = sequence(
    explicit(0, integer(Uint8Array.of(version3))),
    integer(serialNumber(randomBytes)),
    algorithm,
    distinguishedName(issuer.name),
    // An hour early, for clients whose clock is behind.
    sequence(time(now - hour), time(now + year)),
    distinguishedName(name),
    keys.spki,
    explicit(3, sequence(...extensionsOf({ publicKey: keys.spki, issuerPublicKey: issuer.keys.spki, ...(names && { names }) }))),
  );
  return pem(sequence(body, algorithm, bitString(sign('sha256', body, issuer.keys.privateKey))));
}

function keyPair(): KeyPair {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return { privateKey, spki: publicKey.export({ type: 'spki', format: 'der' }) };
}

const distinguishedName = (text: string): Der => sequence(set(sequence(objectIdentifier(commonName), utf8String(text))));

/** 16 bytes that do not start with a zero. */
function serialNumber(randomBytes: (size: number) => Uint8Array): Uint8Array {
  const serial = Uint8Array.from(randomBytes(16));
  serial[0] = ((serial[0] ?? 0) & 0x7f) | 0x40;
  return serial;
}

const pem = (der: Der): string =>
  `-----BEGIN CERTIFICATE-----\n${(
    Buffer.from(der)
      .toString('base64')
      .match(/.{1,64}/g) ?? []
  ).join('\n')}\n-----END CERTIFICATE-----\n`;

const ecdsaWithSha256 = '1.2.840.10045.4.3.2';
const commonName = '2.5.4.3';
const version3 = 2;
const hour = 3_600_000;
const year = 365 * 24 * hour;
