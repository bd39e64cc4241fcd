import { createHash, generateKeyPair, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { ipBits, readCanonicalIP, strictIP } from 'kube-endpoints/internal/apimachinery';

/** The key and certificates of a TLS server, all in PEM. */
export interface ServingCertificate {
  readonly key: string;
  readonly cert: string;
  /** The certificate of the authority that clients must trust. */
  readonly ca: string;
}

export interface CertificateOptions {
  /** DNS names and IP addresses of the server. */
  readonly names: readonly string[];
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** The source of serial numbers. */
  readonly randomBytes: (size: number) => Uint8Array;
}

/** The keys of a certificate authority and of a server. */
export interface CertificateKeys {
  readonly authorityKeys: KeyPair;
  readonly servingKeys: KeyPair;
}

/** Creates keys in other threads. */
export async function createCertificateKeys(): Promise<CertificateKeys> {
  const createKeys = (): Promise<KeyPair> =>
    new Promise((resolve, reject) => {
      generateKeyPair('ec', { namedCurve }, (error, publicKey, privateKey) =>
        error ? reject(error) : resolve(toKeyPair({ publicKey, privateKey })),
      );
    });
  const [authorityKeys, servingKeys] = await Promise.all([createKeys(), createKeys()]);
  return { authorityKeys, servingKeys };
}

/**
 * Creates a certificate authority and a serving certificate signed by it, both ECDSA P-256 and valid for a year. The authority's key is
 * discarded, so that it can never sign anything else.
 */
export const createServingCertificate = (options: CertificateOptions): ServingCertificate =>
  signServingCertificate({ authorityKeys: createKeyPair(), servingKeys: createKeyPair() }, options);

export function signServingCertificate({ authorityKeys, servingKeys }: CertificateKeys, options: CertificateOptions): ServingCertificate {
  const issuer = { name: `kube-endpoints-ca-${Buffer.from(options.randomBytes(4)).toString('hex')}`, keys: authorityKeys };
  return {
    key: String(servingKeys.privateKey.export({ type: 'pkcs8', format: 'pem' })),
    cert: createCertificate({ name: 'kube-apiserver', keys: servingKeys, issuer, names: options.names }, options),
    ca: createCertificate({ ...issuer, issuer }, options),
  };
}

interface KeyPair {
  readonly privateKey: KeyObject;
  /** The public key as in certificates: SubjectPublicKeyInfo. */
  readonly spki: Der;
}

interface Subject {
  readonly name: string;
  readonly keys: KeyPair;
  readonly issuer: { readonly name: string; readonly keys: KeyPair };
  /** DNS names and IP addresses of a server; absent for a certificate authority. */
  readonly names?: readonly string[];
}

/** `Certificate` of RFC 5280, section 4.1. */
function createCertificate({ name, keys, issuer, names }: Subject, { now, randomBytes }: CertificateOptions): string {
  const algorithm = encodeSequence(encodeObjectIdentifier(ecdsaWithSha256));
  const body = encodeSequence(
    encodeExplicit(0, encodeInteger(Uint8Array.of(version3))),
    encodeInteger(createSerialNumber(randomBytes)),
    algorithm,
    encodeDistinguishedName(issuer.name),
    // Valid from an hour ago, for clients whose clock is behind.
    encodeSequence(encodeTime(now - hourMs), encodeTime(now + yearMs)),
    encodeDistinguishedName(name),
    keys.spki,
    encodeExplicit(
      3,
      encodeSequence(...createExtensions({ publicKey: keys.spki, issuerPublicKey: issuer.keys.spki, ...(names && { names }) })),
    ),
  );
  return toPem(encodeSequence(body, algorithm, encodeBitString(sign('sha256', body, issuer.keys.privateKey))));
}

const namedCurve = 'P-256';
const createKeyPair = (): KeyPair => toKeyPair(generateKeyPairSync('ec', { namedCurve }));

const toKeyPair = ({ publicKey, privateKey }: { readonly publicKey: KeyObject; readonly privateKey: KeyObject }): KeyPair => ({
  privateKey,
  spki: publicKey.export({ type: 'spki', format: 'der' }),
});

const encodeDistinguishedName = (text: string): Der =>
  encodeSequence(encodeSet(encodeSequence(encodeObjectIdentifier(commonName), encodeUtf8String(text))));

/** Returns 16 random bytes. The highest bits of the first byte are 01, so that the number is positive and never shorter. */
function createSerialNumber(randomBytes: (size: number) => Uint8Array): Uint8Array {
  const serial = Uint8Array.from(randomBytes(16));
  serial[0] = ((serial[0] ?? 0) & 0x7f) | 0x40;
  return serial;
}

const toPem = (der: Der): string =>
  `-----BEGIN CERTIFICATE-----\n${(
    Buffer.from(der)
      .toString('base64')
      .match(/.{1,64}/g) ?? []
  ).join('\n')}\n-----END CERTIFICATE-----\n`;

const ecdsaWithSha256 = '1.2.840.10045.4.3.2';
const commonName = '2.5.4.3';
const version3 = 2;
const hourMs = 3_600_000;
const yearMs = 365 * 24 * hourMs;

interface ExtensionSubject {
  /** SubjectPublicKeyInfo, as in certificates. */
  readonly publicKey: Der;
  readonly issuerPublicKey: Der;
  /** DNS names and IP addresses of a server; absent for a certificate authority. */
  readonly names?: readonly string[];
}

/** Creates the extensions of RFC 5280, section 4.2, that TLS clients check: for a server if `names` is set, else for an authority. */
function createExtensions({ publicKey, issuerPublicKey, names }: ExtensionSubject): readonly Der[] {
  const identifiers = [
    encodeExtension(extensionIds.subjectKeyIdentifier, encodeOctetString(computeKeyIdentifier(publicKey))),
    encodeExtension(extensionIds.authorityKeyIdentifier, encodeSequence(encodeImplicit(0, computeKeyIdentifier(issuerPublicKey)))),
  ];
  // Key usage is a bit string counted from the left: digitalSignature is bit 0, keyCertSign bit 5.
  if (!names) {
    return [
      encodeExtension(extensionIds.basicConstraints, encodeSequence(encodeTrue()), { critical: true }),
      encodeExtension(extensionIds.keyUsage, encodeBitString(Uint8Array.of(0b1000_0100), 2), { critical: true }),
      ...identifiers,
    ];
  }
  return [
    encodeExtension(extensionIds.basicConstraints, encodeSequence(), { critical: true }),
    encodeExtension(extensionIds.keyUsage, encodeBitString(Uint8Array.of(0b1000_0000), 7), { critical: true }),
    encodeExtension(extensionIds.extendedKeyUsage, encodeSequence(encodeObjectIdentifier(extensionIds.serverAuth))),
    ...identifiers,
    encodeExtension(extensionIds.subjectAltName, encodeSequence(...names.map(encodeGeneralName))),
  ];
}

const encodeExtension = (id: string, value: Der, { critical = false } = {}): Der =>
  encodeSequence(encodeObjectIdentifier(id), ...(critical ? [encodeTrue()] : []), encodeOctetString(value));

function encodeGeneralName(name: string): Der {
  // An address may have a zone, which certificates cannot express.
  const address = strictIP(name.replace(/%.*$/s, ''));
  return address === undefined ? encodeImplicit(2, Buffer.from(name, 'latin1')) : encodeImplicit(7, encodeAddress(address));
}

/** Hashes only the key bits, which are the last 65 bytes of the structure for a point of P-256. */
const computeKeyIdentifier = (spki: Der): Uint8Array => createHash('sha1').update(spki.subarray(-65)).digest();

/** Returns 4 bytes for IPv4, 16 for IPv6. */
function encodeAddress(canonical: string): Uint8Array {
  const { family, value } = readCanonicalIP(canonical);
  return Buffer.from(value.toString(16).padStart(ipBits[family] / 4, '0'), 'hex');
}

const extensionIds = {
  subjectKeyIdentifier: '2.5.29.14',
  keyUsage: '2.5.29.15',
  subjectAltName: '2.5.29.17',
  basicConstraints: '2.5.29.19',
  authorityKeyIdentifier: '2.5.29.35',
  extendedKeyUsage: '2.5.29.37',
  serverAuth: '1.3.6.1.5.5.7.3.1',
} as const;

/**
 * A DER-encoded ASN.1 value. Encoded by hand so that the server starts quickly: loading a library takes longer than creating the
 * certificates.
 */
type Der = Uint8Array;

export const encodeSequence = (...values: readonly Der[]): Der => encode(0x30, ...values);
export const encodeSet = (...values: readonly Der[]): Der => encode(0x31, ...values);
export const encodeUtf8String = (text: string): Der => encode(0x0c, Buffer.from(text));
export const encodeOctetString = (bytes: Uint8Array): Der => encode(0x04, bytes);
export const encodeBitString = (bytes: Uint8Array, unusedBits = 0): Der => encode(0x03, Uint8Array.of(unusedBits), bytes);
export const encodeTrue = (): Der => encode(0x01, Uint8Array.of(0xff));

/** Explicit tagging: wraps a complete value. */
const encodeExplicit = (tag: number, value: Der): Der => encode(0xa0 | tag, value);

/** Implicit tagging: replaces the type's own tag. */
const encodeImplicit = (tag: number, bytes: Uint8Array): Der => encode(0x80 | tag, bytes);

/** Encodes a non-negative integer given in big-endian bytes. */
export function encodeInteger(bytes: Uint8Array): Der {
  const start = bytes.findIndex((byte, index) => byte !== 0 || index === bytes.length - 1);
  const digits = bytes.subarray(Math.max(start, 0));
  const looksNegative = (digits[0] ?? 0) > 0x7f;
  return looksNegative ? encode(0x02, Uint8Array.of(0), digits) : encode(0x02, digits);
}

/** Encodes an object identifier such as "2.5.4.3". */
export function encodeObjectIdentifier(name: string): Der {
  const [first = 0, second = 0, ...rest] = name.split('.').map(Number);
  return encode(0x06, Uint8Array.from([first * 40 + second, ...rest].flatMap(toBase128)));
}

/** Encodes a time without its milliseconds: UTCTime until 2049, GeneralizedTime afterwards (RFC 5280). */
export function encodeTime(milliseconds: number): Der {
  const digits = new Date(milliseconds).toISOString().replace(/\.\d+|[-:T]/g, '');
  return Number(digits.slice(0, 4)) < 2050 ? encode(0x17, Buffer.from(digits.slice(2))) : encode(0x18, Buffer.from(digits));
}

function encode(tag: number, ...contents: readonly Uint8Array[]): Der {
  const length = contents.reduce((sum, bytes) => sum + bytes.length, 0);
  const digits: number[] = [];
  for (let rest = length; rest > 0; rest = Math.floor(rest / 256)) digits.unshift(rest % 256);
  const head = length < 0x80 ? [tag, length] : [tag, 0x80 | digits.length, ...digits];
  return Buffer.concat([Uint8Array.from(head), ...contents]);
}

/** Seven bits per byte; all bytes except the last have their highest bit set. */
function toBase128(value: number): number[] {
  const digits = [value & 0x7f];
  for (let rest = Math.floor(value / 128); rest > 0; rest = Math.floor(rest / 128)) digits.unshift((rest & 0x7f) | 0x80);
  return digits;
}
