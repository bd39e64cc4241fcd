import { randomBytes, X509Certificate } from 'node:crypto';
import { access, mkdir, readFile } from 'node:fs/promises';
import { isIP } from 'node:net';
import { basename, join } from 'node:path';
import { UsageError } from '../base/io.ts';
import { describeFileError } from '../input/sources.ts';
import { escapeUnprintable } from '../print/text.ts';
import { replaceFiles } from './files.ts';

/** The files of a self-signed certificate. */
export interface SelfSignedFiles {
  readonly ca: string;
  readonly cert: string;
  readonly key: string;
  /** True if the files were created now. */
  readonly isNew: boolean;
}

/**
 * Creates the files if none of them exists. @throws UsageError if they cannot be written, if only some exist, or if the existing certificate
 * has expired or lacks a name
 */
export async function ensureSelfSignedFiles(folder: string, names: readonly string[]): Promise<SelfSignedFiles> {
  const files = { ca: join(folder, 'ca.crt'), cert: join(folder, 'tls.crt'), key: join(folder, 'tls.key') };
  const missing = await findMissing(Object.values(files));
  if (missing.length > 0 && missing.length < Object.keys(files).length) throw createIncompleteError(folder, missing);
  if (missing.length === 0) {
    checkCertificate(await readFile(files.cert), folder, names);
    return { ...files, isNew: false };
  }
  const { createServingCertificate } = await import('@kube-endpoints/apiserver');
  const allNames = [...new Set(['localhost', '127.0.0.1', '::1', ...names])];
  const certificate = createServingCertificate({ names: allNames, now: Date.now(), randomBytes: (size) => randomBytes(size) });
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    replaceFiles([
      { path: files.key, text: certificate.key, mode: 0o600 },
      { path: files.ca, text: certificate.ca, mode: 0o644 },
      { path: files.cert, text: certificate.cert, mode: 0o644 },
    ]);
  } catch (error) {
    throw new UsageError(`--self-signed ${escapeUnprintable(folder)} cannot be written to: ${describeFileError(error)}`, { cause: error });
  }
  return { ...files, isNew: true };
}

function checkCertificate(pem: Buffer, folder: string, names: readonly string[]): void {
  const subject = `--self-signed ${escapeUnprintable(folder)}: the existing certificate`;
  const fix = 'remove the files, or give another directory';
  const certificate = parseCertificate(pem);
  if (!certificate) throw new UsageError(`${subject} cannot be read: ${fix}`);
  if (Date.parse(certificate.validTo) <= Date.now()) throw new UsageError(`${subject} expired on ${certificate.validTo}: ${fix}`);
  const isValidFor = (name: string): boolean => (isIP(name) ? certificate.checkIP(name) : certificate.checkHost(name)) !== undefined;
  const missingName = names.find((name) => !isValidFor(name));
  if (missingName !== undefined) throw new UsageError(`${subject} is not valid for ${escapeUnprintable(missingName)}: ${fix}`);
}

function parseCertificate(pem: Buffer): X509Certificate | undefined {
  try {
    return new X509Certificate(pem);
  } catch {
    return undefined;
  }
}

async function findMissing(files: readonly string[]): Promise<string[]> {
  const results = await Promise.allSettled(files.map((file) => access(file)));
  return files.filter((_, i) => results[i]?.status === 'rejected');
}

/** A new certificate authority would invalidate the manifests that trust the existing one. */
function createIncompleteError(folder: string, missing: readonly string[]): UsageError {
  const names = missing.map((file) => basename(file)).join(' and ');
  const subject = `--self-signed ${escapeUnprintable(folder)}: ${names} ${missing.length === 1 ? 'is' : 'are'} missing`;
  return new UsageError(
    `${subject}: restore ${missing.length === 1 ? 'it' : 'them'}, or remove the other files to create a new certificate`,
  );
}
