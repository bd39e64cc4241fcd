import 'reflect-metadata';
import { webcrypto } from 'node:crypto';
import { BasicConstraintsExtension, SubjectAlternativeNameExtension, type X509Certificate, X509CertificateGenerator } from '@peculiar/x509';

const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const;
const validity = { notBefore: new Date('2020-01-01T00:00:00Z'), notAfter: new Date('2120-01-01T00:00:00Z') };

/** The certificate and key of a server and the authority to trust, in PEM. */
export interface Identity {
  readonly certificate: string;
  readonly key: string;
  readonly authority: string;
}

export interface Authority {
  readonly certificate: string;
  issue(names: readonly string[], notAfter?: Date): Promise<Identity>;
}

/** Creates a certificate authority. */
export async function createAuthority(name: string = 'authority'): Promise<Authority> {
  const keys = await createKeys();
  const certificate = await X509CertificateGenerator.createSelfSigned({
    ...validity,
    serialNumber: '01',
    name: `CN=${name}`,
    keys,
    signingAlgorithm: algorithm,
    extensions: [new BasicConstraintsExtension(true, undefined, true)],
  });
  const authority = formatPem(certificate);
  let serial = 1;
  return {
    certificate: authority,
    async issue(names, notAfter = validity.notAfter) {
      const serverKeys = await createKeys();
      serial += 1;
      const serverCertificate = await X509CertificateGenerator.create({
        notBefore: validity.notBefore,
        notAfter,
        serialNumber: serial.toString(16).padStart(2, '0'),
        subject: `CN=${names[0]}`,
        issuer: certificate.subject,
        publicKey: serverKeys.publicKey,
        signingKey: keys.privateKey,
        signingAlgorithm: algorithm,
        extensions: [new SubjectAlternativeNameExtension(names.map((value) => ({ type: isIPv4Address(value) ? 'ip' : 'dns', value })))],
      });
      return { certificate: formatPem(serverCertificate), key: await exportPem(serverKeys.privateKey), authority };
    },
  };
}

const createKeys = (): Promise<webcrypto.CryptoKeyPair> => webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);

const formatPem = (certificate: X509Certificate): string => `${certificate.toString('pem')}\n`;

async function exportPem(key: webcrypto.CryptoKey): Promise<string> {
  const bytes = Buffer.from(await webcrypto.subtle.exportKey('pkcs8', key));
  return `-----BEGIN PRIVATE KEY-----\n${bytes.toString('base64').replace(/.{64}/g, '$&\n')}\n-----END PRIVATE KEY-----\n`;
}

const isIPv4Address = (name: string): boolean => /^[\d.]+$/.test(name);
